import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { removeFriend } from '#contract/friends.ts'
import {
  createListing,
  deleteListing,
  getListing,
  type Listing,
  relistListing,
  updateListing,
} from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { deleteProfile } from '#contract/profile.ts'
import {
  acceptTrade,
  createTrade,
  getTrade,
  handOverTrade,
  listTrades,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from '../listings/jobs.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const give = (owner: Actor, more: object = {}): Promise<Listing> =>
  owner.call(createListing, { body: { title: 'Plums', type_id: types.giveaway, ...more } })
const ask = async (who: Actor, { id }: Listing) =>
  (await who.call(createTrade, { body: { listing_id: id } })).id
const stateOf = async (who: Actor, id: number) => (await who.call(getTrade, { params: { id } })).state
const latest = async (who: Actor) => {
  await world.jobsDone()
  const [first] = await who.call(listNotifications, { query: {} })
  return first && { kind: first.kind, about: first.user.id, trade: first.trade?.id }
}

test('deleting an account ends its trades, releases the listings and notifies the other side', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await give(ann)
  const [promise, request] = [await ask(bob, plums), await ask(cat, plums)]
  await ann.call(acceptTrade, { params: { id: promise } })
  await bob.call(deleteProfile, { body: { password: bob.password } })
  const trade = await ann.call(getTrade, { params: { id: promise } })
  expect(trade).toMatchObject({ state: 'withdrawn', legs: [{ taker: null, taker_id: bob.id }] })
  expect((await ann.call(getListing, { params: plums })).state_id).toBe(states.available)
  expect(await latest(ann)).toEqual({ kind: 'trade_next', about: cat.id, trade: request })

  await ann.call(deleteProfile, { body: { password: ann.password } })
  expect(await stateOf(cat, request)).toBe('lapsed')
  expect(await latest(cat)).toEqual({ kind: 'trade_gone', about: cat.id, trade: request })
  const left = await world.db
    .selectFrom('trades')
    .select('id')
    .where('id', 'in', [promise, request])
    .execute()
  expect(left.map(({ id }) => id)).toEqual([request])
})

test('a block ends the open trades of both members without revealing the block', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [plums, figs] = [await give(ann), await give(bob, { title: 'Figs' })]
  const [promise, request] = [await ask(bob, plums), await ask(ann, figs)]
  await ann.call(acceptTrade, { params: { id: promise } })
  await ann.call(blockMember, { params: { id: bob.id } })
  expect([await stateOf(bob, promise), await stateOf(bob, request)]).toEqual(['withdrawn', 'withdrawn'])
  expect(await latest(bob)).toMatchObject({ kind: 'trade_withdrawn', about: bob.id })
  expect((await ann.call(getListing, { params: plums })).state_id).toBe(states.available)
  const again = await bob.try(createTrade, { body: { listing_id: plums.id } })
  expect([again.status, again.body.detail]).toEqual([403, tradeMessages.notPossible])
})

test('a suspension ends the open trades of the member', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await give(ann)
  const id = await ask(bob, plums)
  await ann.call(acceptTrade, { params: { id } })
  expect(await admin(world, 'suspend', bob.username)).toMatchObject({ code: 0 })
  expect(await stateOf(ann, id)).toBe('withdrawn')
  expect((await ann.call(getListing, { params: plums })).state_id).toBe(states.available)
  expect(await latest(ann)).toEqual({ kind: 'trade_withdrawn', about: ann.id, trade: id })
})

test('a listing that is deleted, hidden or gone ends its requests', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [deleted, hidden, gone, inactive] = [
    await give(ann),
    await give(ann),
    await give(ann),
    await give(ann),
  ]
  const ids = [
    await ask(bob, deleted),
    await ask(bob, hidden),
    await ask(bob, gone),
    await ask(bob, inactive),
  ]
  await ann.call(deleteListing, { params: deleted })
  await world.hide(hidden.id)
  await ann.call(updateListing, { params: gone, body: { state_id: states.gone } })
  await ann.call(updateListing, { params: inactive, body: { is_active: false } })
  const all = await bob.call(listTrades, { query: { state: 'closed' } })
  expect(all.map(({ id, state, end_reason }) => [id, state, end_reason])).toEqual(
    ids.reverse().map((id) => [id, 'lapsed', 'gone']),
  )
  expect(all[3]?.legs[0]?.listing).toMatchObject({ title: 'Plums', is_visible: false })
})

test('deleting a promised listing ends the trade without a notification about the next in line', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await give(ann)
  const [promise, request] = [await ask(bob, plums), await ask(cat, plums)]
  await ann.call(acceptTrade, { params: { id: promise } })
  await ann.call(deleteListing, { params: plums })
  expect([await stateOf(bob, promise), await stateOf(cat, request)]).toEqual(['withdrawn', 'lapsed'])
  await world.jobsDone()
  const kinds = (await ann.call(listNotifications, { query: {} })).map(({ kind }) => kind)
  expect(kinds).toEqual(['trade_requested', 'trade_requested'])
})

/** Lets listings expire. Does not run the job, which skips listings that other jobs have locked. */
async function expire(...listings: Listing[]) {
  await world.jobsDone()
  const ids = listings.map(({ id }) => id)
  const expires_at = new Date(Date.now() - 1000).toISOString()
  await world.db.updateTable('listings').set({ expires_at }).where('id', 'in', ids).execute()
}

test('unanswered requests lapse when their listing ends, and both sides are notified', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const [plums, figs] = [await give(ann), await give(ann, { title: 'Figs' })]
  const [request, other] = [await ask(bob, plums), await ask(cat, figs)]
  await expire(plums)
  await world.runJob(endExpiredListings)

  expect(await stateOf(bob, request)).toBe('lapsed')
  expect(await latest(bob)).toEqual({ kind: 'trade_lapsed', about: ann.id, trade: request })
  expect(await latest(ann)).toEqual({ kind: 'trade_lapsed', about: bob.id, trade: request })
  expect(await stateOf(cat, other)).toBe('requested')
  await ann.call(relistListing, { params: plums })
  expect(await stateOf(bob, await ask(bob, plums))).toBe('requested')
})

test('a promise outlives the end of its listing, but those who wait in line do not', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await give(ann)
  const [promise, waiting] = [await ask(bob, plums), await ask(cat, plums)]
  await ann.call(acceptTrade, { params: { id: promise } })
  await expire(plums)
  await world.runJob(endExpiredListings)

  expect([await stateOf(bob, promise), await stateOf(cat, waiting)]).toEqual(['accepted', 'lapsed'])
  await ann.call(handOverTrade, { params: { id: promise }, body: {} })
  expect(await stateOf(ann, promise)).toBe('done')
  expect((await ann.call(getListing, { params: plums })).state_id).toBe(states.gone)
})

test('withdrawing a promise after the end of its listing notifies nobody about the next in line', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await give(ann)
  const promise = await ask(bob, plums)
  await ask(cat, plums)
  await ann.call(acceptTrade, { params: { id: promise } })
  await expire(plums)
  await world.runJob(endExpiredListings)
  await bob.call(withdrawTrade, { params: { id: promise } })

  expect(await latest(ann)).toEqual({ kind: 'trade_withdrawn', about: bob.id, trade: promise })
  expect(await ann.call(getListing, { params: plums })).toMatchObject({
    state_id: states.available,
    is_expired: true,
  })
})

test('a swap and a ring lapse when any of their listings ends', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const offer = (who: Actor) => give(who, { type_id: types.exchange })
  const [plums, figs, garlic] = [await offer(ann), await offer(bob), await offer(cat)]
  const swap = await bob.call(createTrade, { body: { listing_id: plums.id, offer_listing_id: figs.id } })
  const ring = await cat.call(createTrade, { body: { ring: [garlic.id, plums.id, figs.id] } })
  await expire(figs)
  await world.runJob(endExpiredListings)

  expect([await stateOf(ann, swap.id), await stateOf(ann, ring.id)]).toEqual(['lapsed', 'lapsed'])
  expect(await latest(cat)).toEqual({ kind: 'trade_lapsed', about: cat.id, trade: ring.id })
})

test('a listing that has ended can not be asked for, swapped or put into a ring, and a promise of it stays one', async () => {
  const [ann, bob, cat, dan] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const offer = (who: Actor, more: object = {}) => give(who, { type_id: types.exchange, ...more })
  const [plums, figs, garlic, leeks] = [
    await offer(ann),
    await offer(bob),
    await offer(cat),
    await offer(bob),
  ]
  const secret = await offer(ann, { is_public: false })
  const promise = await ask(dan, plums)
  await ann.call(acceptTrade, { params: { id: promise } })
  await expire(plums, figs, secret)
  const check = async () => {
    for (const [who, body, status, detail] of [
      [cat, { listing_id: plums.id }, 409, tradeMessages.notAvailable],
      [bob, { listing_id: garlic.id, offer_listing_id: figs.id }, 409, tradeMessages.notAvailable],
      [cat, { ring: [plums.id, leeks.id, garlic.id] }, 409, tradeMessages.notAvailable],
      [dan, { listing_id: plums.id }, 409, tradeMessages.promisedToYou],
      [cat, { listing_id: secret.id }, 404, tradeMessages.listingNotFound],
    ] as const) {
      const response = await who.try(createTrade, { body: body as never })
      expect([response.status, response.body.detail]).toEqual([status, detail])
    }
  }
  await check()
  await world.runJob(endExpiredListings)
  await check()
})

test('a request survives the end of its listing if the owner has relisted it meanwhile', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await give(ann)
  const request = await ask(bob, plums)
  await expire(plums)
  // The requests end in a job of their own, which waits for the members' rows.
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(`begin; select from users where id = ${bob.id} for update`)
  const running = world.runJob(endExpiredListings)
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await ann.call(relistListing, { params: plums })
  await client.query('commit')
  await client.end()
  await running
  expect(await stateOf(bob, request)).toBe('requested')
})

test('a promised listing keeps its state until the trade ends', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await give(ann)
  await ann.call(acceptTrade, { params: { id: await ask(bob, plums) } })
  for (const state_id of [states.available, states.gone]) {
    const response = await ann.try(updateListing, { params: plums, body: { state_id } })
    expect([response.status, response.body.detail]).toEqual([409, tradeMessages.listingPromised])
  }
  expect((await ann.try(updateListing, { params: plums, body: { title: 'Damsons' } })).status).toBe(200)
  const [trade] = await bob.call(listTrades, { query: {} })
  expect(trade?.legs[0]?.listing.title).toBe('Plums')
})

test("a request ends when its member can no longer see the listing: it is for friends, or they aren't friends any more", async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.befriend(ann, cat)
  const plums = await give(ann)
  const [bobs, cats] = [await ask(bob, plums), await ask(cat, plums)]
  await ann.call(updateListing, { params: plums, body: { is_public: false } })
  expect([await stateOf(bob, bobs), await stateOf(cat, cats)]).toEqual(['lapsed', 'requested'])
  await ann.call(removeFriend, { params: { id: cat.id } })
  expect(await stateOf(cat, cats)).toBe('lapsed')
})

describe('a ring ends when one of its members', () => {
  const begin = async (...who: [Actor, Actor, Actor]) => {
    const listings: Listing[] = []
    for (const member of who) listings.push(await give(member, { type_id: types.exchange }))
    const ring = listings.map(({ id }) => id)
    const { id } = await who[0].call(createTrade, { body: { ring } })
    return { id, listings }
  }
  const endings: [string, (ann: Actor, bob: Actor) => Promise<unknown>][] = [
    ['is suspended', (_, bob) => world.suspend(bob)],
    ['leaves', (_, bob) => bob.call(deleteProfile, { body: { password: bob.password } })],
    ['is blocked by another', (ann, bob) => ann.call(blockMember, { params: { id: bob.id } })],
  ]

  test.each(endings)('%s before all have accepted, without naming who', async (_, end) => {
    const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
    const { id } = await begin(ann, bob, cat)
    await cat.call(acceptTrade, { params: { id } })
    await end(ann, bob)
    expect(['lapsed', 'withdrawn']).toContain(await stateOf(cat, id))
    expect(await latest(cat)).toMatchObject({ about: cat.id, trade: id })
  })

  test.each(endings)('%s after all have accepted, and frees the listings of the others', async (_, end) => {
    const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
    const { id, listings } = await begin(ann, bob, cat)
    for (const who of [bob, cat]) await who.call(acceptTrade, { params: { id } })
    expect(await stateOf(ann, id)).toBe('accepted')
    await end(ann, bob)
    for (const [place, who] of [
      [0, ann],
      [2, cat],
    ] as const) {
      expect(await stateOf(who, id)).toBe('withdrawn')
      const listing = await who.call(getListing, { params: { id: listings[place]?.id ?? 0 } })
      expect(listing.state_id).toBe(states.available)
    }
    expect(await latest(cat)).toEqual({ kind: 'trade_withdrawn', about: cat.id, trade: id })
  })
})
