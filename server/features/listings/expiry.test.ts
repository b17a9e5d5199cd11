import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { categories, states, types } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import { createListing, getListing, relistListing, setVisibility, updateListing } from '#contract/listings.ts'
import { countInterested, listInterested, listMatches } from '#contract/matches.ts'
import { listNotifications } from '#contract/notifications.ts'
import { exportProfile, updateProfile } from '#contract/profile.ts'
import { createWant, listWants } from '#contract/wants.ts'
import { type Actor, json } from '#test/actor.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from './jobs.ts'

const world = await newWorld()
const client = new pg.Client({ connectionString: world.databaseUrl })
await client.connect()
afterAll(async () => {
  await client.end()
  await world[Symbol.asyncDispose]()
})

const dayMs = 24 * 60 * 60 * 1000
const give = { type_id: types.giveaway, category_id: categories.produce }
type Posted = CallInput<typeof createListing>['body']

const post = (who: Actor, title: string, listing: Partial<Posted> = {}) =>
  who.call(createListing, { body: { title, ...give, ...listing } })
const read = (who: Actor, id: number) => who.call(getListing, { params: { id } })
const relist = (who: Actor, id: number) => who.call(relistListing, { params: { id } })
const titles = async (who: Actor, query: CallInput<typeof listListings>['query']) =>
  (await who.call(listListings, { query })).map(({ title }) => title)

/** Returns the days until the end of a listing, rounded to hours. */
const daysLeft = ({ expires_at }: { expires_at: string }) =>
  Math.round(((Date.parse(expires_at) - Date.now()) / dayMs) * 24) / 24

/** Lets a listing expire. Does not run the job. */
const expire = (id: number) =>
  sql`update listings set expires_at = now() - interval '1 second' where id = ${id}`.execute(world.db)
const columnsOf = (id: number) =>
  world.db.selectFrom('listings').select(['ended_at', 'expires_at']).where('id', '=', id).executeTakeFirst()

describe('a listing expires', () => {
  test.each([
    [categories.produce, 14],
    [categories.plants, 60],
    [categories.seeds, 365],
    [null, 30],
  ])('with category %j after %i days', async (category_id, days) => {
    const [ann] = await world.uniqueMembers('ann')
    const listing = await post(ann, 'Sorrel', { category_id })

    expect([daysLeft(listing), listing.is_expired]).toEqual([days, false])
    expect((await read(ann, listing.id)).expires_at).toBe(listing.expires_at)
  })

  test.each([3, 365])('after the chosen %i days', async (days) => {
    const [ann] = await world.uniqueMembers('ann')
    expect(daysLeft(await post(ann, 'Sorrel', { days }))).toBe(days)

    const body = { title: 'Sorrel', ...give, days }
    expect(daysLeft(await ann.call(createListing, { body, file: await photo() }))).toBe(days)

    const { id } = await post(ann, 'Sorrel')
    expect(daysLeft(await ann.call(updateListing, { params: { id }, body: { days } }))).toBe(days)
  })

  test('at the same time after an edit without days', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { id, expires_at } = await post(ann, 'Sorrel', { days: 7 })
    const body = { title: 'Dock', category_id: categories.seeds, state_id: states.reserved }

    expect(await ann.call(updateListing, { params: { id }, body })).toMatchObject({ expires_at })
    expect(await ann.call(setVisibility, { params: { id }, body: { is_public: false } })).toMatchObject({
      expires_at,
    })
  })

  test.each([2, 366, 7.5])('but not after %j days, which are refused', async (days) => {
    const [ann] = await world.uniqueMembers('ann')
    const { id, expires_at } = await post(ann, 'Sorrel')
    const { status, body } = await ann.send('PATCH', `/api/listings/${id}`, json({ title: 'Dock', days }))

    const message = 'Please choose 3 to 365 days'
    expect([status, body.detail, body.errors]).toEqual([422, message, [{ field: 'days', message }]])
    expect(await read(ann, id)).toMatchObject({ title: 'Sorrel', expires_at })
  })
})

describe('an expired listing', () => {
  /** Returns queries of lists of the owner's listings for friends, and of public ones. */
  const queries = ({ id: user_id }: Actor) => {
    const lists = [
      { friends: 'true' },
      { friends: 'true', q: 'salsify' },
      { friends: 'true', sort: 'nearest' },
      { user_id },
      { user_id, q: 'salsify' },
      { user_id, sort: 'oldest' },
      { q: 'salsify' },
      { q: 'salsify', sort: 'lowest' },
      { q: 'salsify', near: 5 },
    ] as const
    const publicLists = [
      { public: 'true', q: 'salsify' },
      { public: 'true', q: 'salsifi' },
      { public: 'true', q: 'salsify', sort: 'nearest' },
      { public: 'true', q: 'salsify', category_id: categories.produce },
    ] as const
    return { lists, publicLists }
  }
  /** Returns the number of matches, the counts of wants, the number of match notifications, and the status of the listing. */
  const matchesOf = async (who: Actor, id: number) => [
    (await who.call(listMatches, { query: {} })).length,
    (await who.call(listWants, { query: {} })).map(({ listing_count }) => listing_count),
    (await who.call(listNotifications, { query: {} })).filter(({ kind }) => kind === 'match').length,
    (await who.try(getListing, { params: { id } })).status,
  ]

  test('is in no list except the own one and answers 404 to others, before and after the job', async () => {
    const [ann, friend, stranger] = await world.uniqueMembers('ann', 'friend', 'stranger')
    await world.befriend(ann, friend)
    for (const who of [ann, friend, stranger]) await who.call(updateProfile, { body: { zip_code: '97214' } })
    for (const who of [friend, stranger])
      await who.call(createWant, { body: { title: 'Salsify', category_id: categories.produce } })
    const open = await post(ann, 'Salsify for all')
    const close = await post(ann, 'Salsify for friends', { is_public: false })
    const away = await post(ann, 'Salsify in the shed', { is_active: false })
    await world.jobsDone()
    const all = [close.title, open.title]
    const { lists, publicLists } = queries(ann)
    const seenBy = async (who: Actor) => {
      const found: string[][] = []
      for (const query of [...lists, ...publicLists]) found.push((await titles(who, query)).sort())
      return found
    }

    expect(await seenBy(friend)).toEqual([
      ...lists.map(() => all.sort()),
      ...publicLists.map(() => [open.title]),
    ])
    expect(await matchesOf(friend, open.id)).toEqual([2, [2], 2, 200])
    expect(await matchesOf(stranger, open.id)).toEqual([1, [1], 1, 200])

    for (const { id } of [open, close, away]) await expire(id)
    const check = async () => {
      for (const who of [friend, stranger, ann])
        expect(await seenBy(who)).toEqual([...lists, ...publicLists].map(() => []))
      expect((await titles(ann, {})).filter((title) => title.startsWith('Salsify'))).toEqual([])
      for (const who of [friend, stranger]) expect(await matchesOf(who, open.id)).toEqual([0, [0], 0, 404])
      for (const id of [open.id, close.id]) {
        expect(await ann.call(listInterested, { params: { id }, query: {} })).toEqual([])
      }
      expect(await ann.call(countInterested, { query: {} })).toEqual([])

      const mine = await ann.call(listListings, { query: { mine: 'true' } })
      expect(mine.map(({ is_expired, state_id }) => [is_expired, state_id])).toEqual(
        mine.map(() => [true, states.available]),
      )
      expect(mine).toHaveLength(3)
      expect(await titles(ann, { mine: 'true', q: 'salsify' })).toHaveLength(3)
      expect(await read(ann, open.id)).toMatchObject({ is_expired: true, state_id: states.available })
    }
    await check()
    await world.runJob(endExpiredListings)
    await check()
  })

  test('is found by its owner under a word of no other listing', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await post(ann, 'Quamash bulbs')
    await post(ann, 'Squash')
    await expire(id)
    await world.runJob(endExpiredListings)
    await sql`delete from search_terms where term = 'quamash'`.execute(world.db)

    expect(await titles(ann, { mine: 'true', q: 'quamash' })).toEqual(['Quamash bulbs'])
  })

  test('stays expired after an edit and does not match new wants', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const { id } = await post(ann, 'Chervil')
    await expire(id)
    await world.runJob(endExpiredListings)
    const edited = await ann.call(updateListing, { params: { id }, body: { title: 'Chervil, a bunch' } })
    await bob.call(createWant, { body: { title: 'chervil' } })
    await world.jobsDone()

    expect(edited).toMatchObject({ is_expired: true, title: 'Chervil, a bunch' })
    expect(await bob.call(listMatches, { query: {} })).toEqual([])
    expect(await bob.call(listNotifications, { query: {} })).toEqual([])
  })

  test('is exported with its end time', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await post(ann, 'Lovage', { days: 20 })
    const { listings } = await ann.call(exportProfile)

    const [exported] = listings as { id: number; expires_at: string; days: number }[]
    expect(exported).toMatchObject({ id, days: 20 })
    expect(Date.parse(exported?.expires_at ?? '')).toBe(Date.parse((await read(ann, id)).expires_at))
  })
})

describe('relisting a listing', () => {
  test('returns it to lists, search and matches for the same time, and matches wants posted meanwhile', async () => {
    const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
    await bob.call(createWant, { body: { title: 'Skirret' } })
    const { id } = await post(ann, 'Skirret roots', { days: 40, state_id: states.reserved })
    await world.jobsDone()
    const notificationsBefore = (await bob.call(listNotifications, { query: {} })).map(({ id }) => id)
    await expire(id)
    await world.runJob(endExpiredListings)
    await cat.call(createWant, { body: { title: 'Skirrets' } })

    const relisted = await relist(ann, id)
    await world.jobsDone()
    expect([daysLeft(relisted), relisted.is_expired, relisted.state_id]).toEqual([40, false, states.reserved])
    expect(await titles(cat, { public: 'true', q: 'skirret' })).toEqual(['Skirret roots'])
    expect(await titles(cat, { user_id: ann.id })).toEqual(['Skirret roots'])
    for (const who of [bob, cat])
      expect((await who.call(listMatches, { query: {} })).map(({ listing }) => listing.id)).toEqual([id])
    expect(await ann.call(countInterested, { query: {} })).toEqual([{ listing_id: id, count: 2 }])
    expect((await bob.call(listNotifications, { query: {} })).map(({ id }) => id)).toEqual(
      notificationsBefore,
    )
    expect(await cat.call(listNotifications, { query: {} })).toHaveLength(1)
  })

  test('with chosen days lasts for these days, and so does the next relisting', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const { id } = await post(ann, 'Orache')
    await expire(id)
    await world.runJob(endExpiredListings)
    const changed = await ann.call(updateListing, { params: { id }, body: { days: 5 } })

    expect([daysLeft(changed), changed.is_expired]).toEqual([5, false])
    expect(await titles(bob, { public: 'true', q: 'orache' })).toEqual(['Orache'])
    await expire(id)
    expect(daysLeft(await relist(ann, id))).toBe(5)
  })

  test('before its end counts the days from now', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await post(ann, 'Orache')
    await sql`update listings set expires_at = now() + interval '2 days' where id = ${id}`.execute(world.db)

    expect(daysLeft(await relist(ann, id))).toBe(14)
  })

  test('makes a gone listing available and leaves a hidden one hidden', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const gone = await post(ann, 'Orache', { state_id: states.gone })
    const hidden = await post(ann, 'Orache', { is_active: false })
    await expire(hidden.id)

    expect(await relist(ann, gone.id)).toMatchObject({ state_id: states.available })
    expect(await relist(ann, hidden.id)).toMatchObject({ is_active: false, is_expired: false })
  })

  test('is idempotent under parallel requests', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { id } = await post(ann, 'Purslane')
    await expire(id)
    await world.runJob(endExpiredListings)
    const jobs = async () => (await world.jobsOf('match-listing')).length
    const before = await jobs()
    const responses = await Promise.all(Array.from({ length: 8 }, () => relist(ann, id)))
    const later = await relist(ann, id)

    expect(new Set([...responses, later].map(({ expires_at }) => expires_at)).size).toBe(1)
    expect(later.updated_at).toBe(responses[0]?.updated_at)
    expect((await jobs()) - before).toBe(1)
  })

  test('succeeds while the job expires the listing, in either order', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const first = await post(ann, 'Melokhia')
    const second = await post(ann, 'Melokhia, more')
    for (const { id } of [first, second]) await expire(id)

    // The job has updated the row and not committed.
    await client.query('begin')
    await client.query('update listings set ended_at = now() where id = $1', [first.id])
    const waiting = relist(ann, first.id)
    await expect.poll(() => world.waitingForLocks()).toBe(1)
    await client.query('commit')
    await waiting

    // Relisting has locked the row when the job comes.
    await client.query('begin')
    await client.query('select from listings where id = $1 for update', [second.id])
    const behind = relist(ann, second.id)
    await expect.poll(() => world.waitingForLocks()).toBe(1)
    await world.runJob(endExpiredListings)
    await client.query('commit')
    await behind

    await world.runJob(endExpiredListings)
    for (const { id } of [first, second]) {
      expect(await columnsOf(id)).toMatchObject({ ended_at: null })
      expect(await read(bob, id)).toMatchObject({ is_expired: false })
    }
    expect(await titles(bob, { public: 'true', q: 'melokhia' })).toHaveLength(2)
  })
})

test('two nodes expire a listing once', async () => {
  await using second = await world.node()
  const [ann] = await world.uniqueMembers('ann')
  const ids: number[] = []
  for (let count = 0; count < 6; count += 1) ids.push((await post(ann, `Cress ${count}`)).id)
  await world.runJob(endExpiredListings)
  for (const id of ids) await expire(id)
  const before = (await world.jobsOf('match-listing')).length
  await Promise.all([world.runJob(endExpiredListings), world.runJob(endExpiredListings)])

  expect((await world.jobsOf('match-listing')).length - before).toBe(6)
  expect(await titles(second.as(ann), { mine: 'true' })).toHaveLength(6)
  expect(await titles(second.as(ann), { user_id: ann.id })).toEqual([])
})
