import { afterAll, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, deleteListing, findEqual, updateListing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { createWant } from '#contract/wants.ts'
import { endExpiredListings } from '#server/features/listings/jobs.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [reader] = await world.members('reader')

const plums = { title: 'Plums', type_id: types.giveaway, category_id: categories.produce }
const post = (owner: Actor, changes: object = {}) =>
  owner.call(createListing, { body: { ...plums, ...changes } })

/** Returns the owner's listings in a list of the reader, with the number of folded ones. */
async function shown(owner: Actor, query: object = { public: 'true' }, as: Actor = reader) {
  const listings = await as.call(listListings, { query: { limit: 100, ...query } })
  return listings.flatMap(({ id, owner_id, folded_count }) =>
    owner_id === owner.id ? [[id, folded_count]] : [],
  )
}

test('lists of the market show the newest of equal listings and how many others there are', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await post(ann)
  await post(ann, { title: 'plums', description: 'Ripe' })
  const newest = await post(ann, { title: 'PLUMS' })
  const figs = await post(ann, { title: 'Figs' })
  expect(await shown(ann)).toEqual([
    [figs.id, 0],
    [newest.id, 2],
  ])
  expect(await shown(ann, {})).toHaveLength(2)
  expect(await shown(ann, { public: 'true', sort: 'oldest' })).toEqual([
    [newest.id, 2],
    [figs.id, 0],
  ])
  expect(await shown(ann, { public: 'true', q: 'plums' })).toEqual([[newest.id, 2]])
  expect(await shown(ann, { mine: 'true' }, ann)).toHaveLength(4)
  expect(await shown(ann, { user_id: ann.id })).toHaveLength(4)
})

test('twenty equal listings, posted at once, take one place of a page', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const others = []
  for (let nth = 0; nth < 30; nth += 1) others.push(await post(bob, { title: `Kind ${nth}` }))
  await Promise.all(Array.from({ length: 20 }, () => post(ann, { title: 'Quinces' })))
  const [first = [], second = []] = await reader.pages<{
    id: number
    folded_count: number
    owner_id: number
  }>('/api/listings?public=true&limit=24')
  expect(first.map(({ owner_id, folded_count }) => [owner_id, folded_count])).toEqual([
    [ann.id, 19],
    ...Array.from({ length: 23 }, () => [bob.id, 0]),
  ])
  expect(second[0]?.id).toBe(others[6]?.id)
})

test('folds neither listings that differ nor those of other members', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await post(ann)
  await post(ann, { type_id: types.exchange })
  await post(ann, { category_id: categories.seeds })
  await post(ann, { category_id: null })
  await post(ann, { is_public: false })
  await post(bob)
  expect((await shown(ann)).map(([, count]) => count)).toEqual([0, 0, 0, 0])
  expect((await shown(bob)).map(([, count]) => count)).toEqual([0])
})

test.each<[string, (owner: Actor, id: number) => Promise<unknown>]>([
  ['deleted', (owner, id) => owner.call(deleteListing, { params: { id } })],
  ['hidden by the operator', (_, id) => world.hide(id)],
  ['inactive', (owner, id) => owner.call(updateListing, { params: { id }, body: { is_active: false } })],
  ['gone', (owner, id) => owner.call(updateListing, { params: { id }, body: { state_id: states.gone } })],
  ['renamed', (owner, id) => owner.call(updateListing, { params: { id }, body: { title: 'Damsons' } })],
  [
    'ended',
    async (_, id) => {
      // The job skips listings that other jobs have locked.
      await world.jobsDone()
      await world.db
        .updateTable('listings')
        .set({ expires_at: new Date(0).toISOString() })
        .where('id', '=', id)
        .execute()
      await world.runJob(endExpiredListings)
    },
  ],
])('shows the second newest when the newest is %s', async (_, change) => {
  const [ann] = await world.uniqueMembers('ann')
  await post(ann)
  const second = await post(ann)
  const newest = await post(ann)
  await change(ann, newest.id)
  expect(await shown(ann)).toContainEqual([second.id, 1])
  expect((await shown(ann)).filter(([id]) => id !== newest.id)).toHaveLength(1)
})

test('shows an older equal listing if the newest does not pass the filters', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const sale = { type_id: types.sell, title: 'Medlars' }
  const cheap = await post(ann, { ...sale, price: 2, description: 'heirloom' })
  const dear = await post(ann, { ...sale, price: 9 })
  const ids = async (query: object) => (await shown(ann, { public: 'true', ...query })).map(([id]) => id)
  expect(await ids({ max_price: 5 })).toEqual([cheap.id])
  expect(await ids({ max_price: 10 })).toEqual([dear.id])
  expect(await ids({ q: 'heirloom' })).toEqual([cheap.id])
  expect(await ids({ sort: 'lowest' })).toEqual([dear.id])
})

test('friends see the newest of equal listings for friends', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.befriend(ann, reader)
  await post(ann, { is_public: false })
  const newest = await post(ann, { is_public: false })
  const expected = [[newest.id, 1]]
  expect(await shown(ann, { friends: 'true' })).toEqual(expected)
  expect(await shown(ann, {})).toEqual(expected)
  expect(await shown(ann, { friends: 'true', q: 'plums' })).toEqual(expected)
})

test('finds the listing that a new one would repeat', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const equal = async (owner: Actor, changes = {}) =>
    (await owner.call(findEqual, { query: { ...plums, ...changes } })).listing
  expect(await equal(ann)).toBeNull()
  const { id, title, expires_at } = await post(ann)
  expect(await equal(ann, { title: ' PLUMS ' })).toEqual({ id, title, expires_at })
  expect(await equal(ann, { type_id: types.sell })).toBeNull()
  expect(await equal(bob)).toBeNull()
  await ann.call(updateListing, { params: { id }, body: { state_id: states.gone } })
  expect(await equal(ann)).toBeNull()
})

test('a member is told of equal listings of one owner once', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await bob.call(createWant, { body: { title: 'gooseberries', category_id: categories.produce } })
  const first = await post(ann, { title: 'Gooseberries' })
  await Promise.all(Array.from({ length: 5 }, () => post(ann, { title: 'Gooseberries' })))
  await world.jobsDone()
  const told = async () =>
    (await bob.call(listNotifications, { query: {} })).flatMap(({ match }) => match?.listing_id ?? [])
  expect(await told()).toEqual([first.id])
  const other = await post(cat, { title: 'Gooseberries' })
  await world.jobsDone()
  expect(await told()).toEqual([other.id, first.id])
})
