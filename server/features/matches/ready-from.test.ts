import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing, listingMessages, updateListing } from '#contract/listings.ts'
import { updatePreferences } from '#contract/profile.ts'
import { readyListingsJob } from '#server/features/listings/jobs.ts'
import type { Actor } from '#test/actor.ts'
import { newMatchingWorld } from '#test/matching-world.ts'

const { world, newMembers, list, addWant, matchTitles, notificationsOf } = await newMatchingWorld()
afterAll(() => world[Symbol.asyncDispose]())

const dayMs = 24 * 60 * 60 * 1000
const dateIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

async function edit(owner: Actor, id: number, ready_from: string | null) {
  const listing = await owner.call(updateListing, { params: { id }, body: { ready_from } })
  await world.jobsDone()
  return listing
}
/** Lets the day come from which a listing is ready. */
async function becomeReady(id: number) {
  const ready_at = new Date(Date.now() - 1000).toISOString()
  await world.db
    .updateTable('listings')
    .set({ ready_at })
    .where('id', '=', id)
    .where('ready_at', 'is not', null)
    .execute()
  await world.runJob(readyListingsJob)
  await world.jobsDone()
}

test('a listing that is not ready is listed, and matched and told when it is', async () => {
  const [ann, bob] = await newMembers(2)
  await addWant(bob, 'quinces')
  const { id } = await list(ann, 'Quinces', { ready_from: dateIn(40) })
  expect((await bob.call(getListing, { params: { id } })).ready_from).toBe(dateIn(40))
  expect((await bob.call(listListings, { query: { user_id: ann.id } })).map((one) => one.id)).toEqual([id])
  await addWant(bob, 'yellow quinces')
  await world.jobsDone()
  expect([await matchTitles(bob), await notificationsOf(bob)]).toEqual([[], []])
  await world.runJob(readyListingsJob)
  await world.jobsDone()
  expect(await notificationsOf(bob)).toEqual([])

  await becomeReady(id)
  expect((await matchTitles(bob))[0]).toBe('Quinces')
  expect(await notificationsOf(bob)).toEqual(['match Quinces'])
})

test('editing the date back and forth tells nobody twice', async () => {
  const [ann, bob] = await newMembers(2)
  await addWant(bob, 'medlars')
  const { id } = await list(ann, 'Medlars')
  const [first] = await notificationIds(bob)
  await edit(ann, id, dateIn(30))
  expect([await matchTitles(bob), await notificationsOf(bob)]).toEqual([[], []])
  await edit(ann, id, null)
  await edit(ann, id, dateIn(20))
  await becomeReady(id)
  expect([await matchTitles(bob), await notificationIds(bob)]).toEqual([['Medlars'], [first]])
})

async function notificationIds({ id }: Actor) {
  const query = world.db.selectFrom('notifications').select(['id', 'created_at']).where('user_id', '=', id)
  return query.execute()
}

test('the days of a listing count from when it is ready', async () => {
  const [ann] = await newMembers(1)
  const daysOf = ({ expires_at }: { expires_at: string }) =>
    Math.round((Date.parse(expires_at) - Date.now()) / dayMs)
  const listing = await list(ann, 'Sloes', { ready_from: dateIn(40), days: 10 })
  expect([49, 50]).toContain(daysOf(listing))
  expect([29, 30]).toContain(daysOf(await edit(ann, listing.id, dateIn(20))))
  expect(daysOf(await edit(ann, listing.id, null))).toBe(10)
})

test('the day begins in the time zone of the owner', async () => {
  const [ann] = await newMembers(1)
  await ann.call(updatePreferences, { body: { time_zone: 'Asia/Tokyo' } })
  const { id } = await list(ann, 'Figs', { ready_from: dateIn(30) })
  const row = await world.db.selectFrom('listings').select('ready_at').where('id', '=', id).executeTakeFirst()
  expect(row?.ready_at).toBe(`${dateIn(29)}T15:00:00.000Z`)
})

test.each([
  ['a day that has begun', dateIn(-1), 201],
  ['a day in a year', dateIn(365), 201],
  ['a day in two years', dateIn(730), 422],
  ['no date', 'soon', 422],
  ['a date that does not exist', '2027-02-30', 422],
  ['the year 0', '0000-01-01', 422],
] as const)('%s is stored or refused with a sentence', async (_, ready_from, status) => {
  const [ann] = await newMembers(1)
  const reply = await ann.try(createListing, {
    body: { title: 'Pears', type_id: types.giveaway, ready_from },
  })
  expect([reply.status, reply.body.errors?.[0]]).toEqual([
    status,
    status === 422 ? { field: 'ready_from', message: listingMessages.readyFrom } : undefined,
  ])
})
