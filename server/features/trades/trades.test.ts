import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, getListing, type Listing, updateListing } from '#contract/listings.ts'
import { listMessages, listThreads } from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { exportProfile } from '#contract/profile.ts'
import {
  acceptTrade,
  createTrade,
  declineTrade,
  getTrade,
  handOverTrade,
  listTrades,
  type Trade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { shortOrLong } from '#test/long.ts'
import { metricsOf } from '#test/metrics.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ config: { metrics: { host: '127.0.0.1', port: 0 } } })
afterAll(() => world[Symbol.asyncDispose]())

const giveaway = (owner: Actor, title = 'Plums', more: object = {}): Promise<Listing> =>
  owner.call(createListing, { body: { title, type_id: types.giveaway, ...more } })
const exchange = (owner: Actor, title: string): Promise<Listing> =>
  owner.call(createListing, { body: { title, type_id: types.exchange } })
const ask = (who: Actor, { id }: Pick<Listing, 'id'>, note?: string): Promise<Trade> =>
  who.call(createTrade, { body: { listing_id: id, ...(note && { note }) } })
const params = ({ id }: Pick<Trade, 'id'>) => ({ params: { id } })
const stateOf = async (owner: Actor, listing: Listing) =>
  (await owner.call(getListing, params(listing))).state_id
const kindsOf = async (who: Actor) =>
  (await who.call(listNotifications, { query: {} }))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'match')

// The first test, because it counts all trades.
test('metrics count the steps of trades, the open ones and the age of the oldest request', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await giveaway(ann)
  const first = await ask(bob, plums)
  const waiting = await ask(cat, plums)
  const last = await ask(cat, await giveaway(ann))
  await ann.call(acceptTrade, params(first))
  expect((await ann.try(acceptTrade, params(waiting))).status).toBe(409)
  for (const { id } of [waiting, last])
    await world.db
      .updateTable('trades')
      .set({ created_at: new Date(Date.now() - 5_000_000).toISOString() })
      .where('id', '=', id)
      .execute()

  const metrics = await metricsOf(world)
  const metric = (name: string) => Number(metrics.split(`\n${name} `)[1]?.split('\n')[0])
  expect(metric('rhubarb_trade_steps_total{step="request",state="requested"}')).toBe(3)
  expect(metric('rhubarb_trade_steps_total{step="accept",state="accepted"}')).toBe(1)
  expect(metrics.match(/^rhubarb_trade_steps_total\{/gm)).toHaveLength(2)
  expect(metric('rhubarb_trades_requested')).toBe(2)
  expect(metric('rhubarb_trades_accepted')).toBe(1)
  expect(Math.floor(metric('rhubarb_trades_oldest_request_seconds') / 1000)).toBe(5)
})

test('a giveaway is requested, promised, handed over and gone', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  const requested = await bob.try(createTrade, {
    body: { listing_id: plums.id, note: 'Two punnets, please' },
  })
  expect(requested.status).toBe(201)
  expect(requested.body).toMatchObject({
    kind: 'single',
    state: 'requested',
    requester_id: bob.id,
    note: 'Two punnets, please',
    allowed: ['withdraw'],
    requester: null,
    legs: [
      {
        listing: { id: plums.id, title: 'Plums' },
        giver_id: ann.id,
        taker_id: bob.id,
        accepted: false,
        position: 1,
      },
    ],
  })
  const seen = await ann.call(getTrade, params(requested.body))
  expect(seen).toMatchObject({
    allowed: ['accept', 'decline'],
    requester: { thanks_count: 0, mutual_friend_count: 0 },
  })

  const accepted = await ann.call(acceptTrade, params(seen))
  expect(accepted).toMatchObject({ state: 'accepted', legs: [{ accepted: true, position: null }] })
  expect(await stateOf(ann, plums)).toBe(states.reserved)
  const done = await ann.call(handOverTrade, { ...params(seen), body: {} })
  expect(done).toMatchObject({ state: 'done', expires_at: null, allowed: ['thank'] })
  expect(await stateOf(ann, plums)).toBe(states.gone)
  await world.jobsDone()
  expect(await kindsOf(bob)).toEqual(['trade_done', 'trade_accepted'])
  expect(await kindsOf(ann)).toEqual(['trade_requested'])
})

test('the request is a message of the conversation, with its listing and its trade', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  using socket = await connectSocket(ann)
  const trade = await ask(bob, plums, 'Two punnets, please')
  const message = {
    content: 'Two punnets, please',
    trade_id: trade.id,
    listing: { id: plums.id, title: 'Plums' },
  }
  expect(await ann.call(listMessages, { params: { id: bob.id }, query: {} })).toMatchObject([message])
  expect(await ann.call(listThreads, { query: {} })).toMatchObject([
    { unread_count: 1, last_message: message },
  ])
  await expect.poll(() => socket.received('new_message')).toMatchObject([message])
  await expect
    .poll(() => socket.received('trade_changed'))
    .toMatchObject([{ id: trade.id, allowed: ['accept', 'decline'] }])
})

test('requests wait in the order of arrival', async () => {
  const [ann, bob, cat, dan] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const plums = await giveaway(ann)
  const requests = [await ask(bob, plums), await ask(cat, plums), await ask(dan, plums)]
  const queue = await ann.call(listTrades, { query: { listing_id: plums.id } })
  expect(queue.map(({ requester_id, legs }) => [requester_id, legs[0]?.position])).toEqual([
    [bob.id, 1],
    [cat.id, 2],
    [dan.id, 3],
  ])
  expect((await ann.call(getListing, params(plums))).request_count).toBe(3)
  expect((await bob.call(getListing, params(plums))).request_count).toBeNull()

  const [first, second] = requests
  if (!first || !second) throw new Error('The requests are missing')
  await ann.call(acceptTrade, params(first))
  expect((await cat.call(getTrade, params(second))).legs[0]?.position).toBe(2)
  expect((await ann.try(acceptTrade, params(second))).body).toMatchObject({
    status: 409,
    code: 'trade_conflict',
  })
  await bob.call(withdrawTrade, params(first))
  expect(await stateOf(ann, plums)).toBe(states.available)
  await world.jobsDone()
  expect(await kindsOf(cat)).toEqual(['trade_in_line'])
  const [next] = await ann.call(listNotifications, { query: {} })
  expect(next).toMatchObject({ kind: 'trade_next', user: { id: cat.id }, trade: { id: second.id } })

  await ann.call(acceptTrade, params(second))
  await ann.call(handOverTrade, { ...params(second), body: {} })
  const [, , third] = requests
  const ended = await dan.call(getTrade, params({ id: third?.id ?? 0 }))
  expect([ended.state, ended.end_reason]).toEqual(['lapsed', 'given'])
})

test('requests and steps are idempotent', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  const trade = await ask(bob, plums)
  const again = await bob.try(createTrade, { body: { listing_id: plums.id } })
  expect([again.status, again.body.id]).toEqual([200, trade.id])
  for (const [who, endpoint] of [
    [ann, acceptTrade],
    [ann, acceptTrade],
    [bob, withdrawTrade],
    [bob, withdrawTrade],
  ] as const)
    expect((await who.try(endpoint, params(trade))).status).toBe(200)
  expect((await ann.try(acceptTrade, params(trade))).body.code).toBe('trade_conflict')
  const other = await ask(bob, plums)
  expect(other.id).not.toBe(trade.id)
  await ann.call(declineTrade, params(other))
  expect((await ann.try(declineTrade, params(other))).status).toBe(200)
  await world.jobsDone()
  expect(await kindsOf(bob)).toEqual(['trade_declined', 'trade_accepted'])
})

test('a note has at most 500 characters', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id: listing_id } = await giveaway(ann)
  const ask = (note: string) => bob.try(createTrade, { body: { listing_id, note } })
  expect(await ask('ö'.repeat(501))).toMatchObject({
    status: 422,
    body: { detail: tradeMessages.noteTooLong },
  })
  const note = 'ö'.repeat(500)
  expect(await ask(` ${note}\n`)).toMatchObject({ status: 201, body: { note } })
})

test('refuses listings that can not be traded', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  const gone = await giveaway(ann, 'Figs', { state_id: states.gone })
  const mine = await exchange(bob, 'Leeks')
  const tries: [object, number, string][] = [
    [{}, 422, tradeMessages.oneRequest],
    [{ listing_id: plums.id, ring: [1, 2, 3] }, 422, tradeMessages.oneRequest],
    [{ ring: [1, 2] }, 422, tradeMessages.ringSize],
    [{ ring: [1, 2, 3, 4, 5] }, 422, tradeMessages.ringSize],
    [{ listing_id: mine.id }, 422, tradeMessages.ownListing],
    [{ listing_id: plums.id, offer_listing_id: gone.id }, 422, tradeMessages.offerNotYours],
    [{ listing_id: gone.id }, 409, tradeMessages.notAvailable],
    [{ ring: [plums.id, mine.id, mine.id] }, 422, tradeMessages.ringTwice],
    [{ ring: [plums.id, mine.id, 999_999] }, 404, tradeMessages.listingNotFound],
  ]
  for (const [body, status, detail] of tries) {
    const response = await bob.try(createTrade, { body: body as never })
    expect([response.status, response.body.detail]).toEqual([status, detail])
  }
  const trade = await ask(bob, plums)
  expect((await bob.try(acceptTrade, params(trade))).body.detail).toBe(tradeMessages.notAllowed)
  expect((await bob.try(handOverTrade, { ...params(trade), body: {} })).status).toBe(409)
  await ann.call(acceptTrade, params(trade))
  const again = await bob.try(createTrade, { body: { listing_id: plums.id } })
  expect([again.status, again.body.detail]).toEqual([409, tradeMessages.promisedToYou])
})

test('a member has at most 20 open requests', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const listings = [await giveaway(ann), await giveaway(ann)]
  const open = {
    kind: 'single',
    requester_id: bob.id,
    expires_at: new Date(Date.now() + 1e9).toISOString(),
  } as const
  await world.db.insertInto('trades').values(Array(19).fill(open)).execute()
  const responses = await Promise.all(
    listings.map(({ id }) => bob.try(createTrade, { body: { listing_id: id } })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 429])
})

test('only one of many parallel acceptances promises a listing', async () => {
  const askers = shortOrLong(6, 20)
  const [ann, ...others] = await world.uniqueMembers(
    'ann',
    ...Array.from({ length: askers }, (_, n) => `asker${n}`),
  )
  if (!ann) throw new Error('Ann is missing')
  const plums = await giveaway(ann)
  const requests = await Promise.all(others.map((who) => ask(who, plums)))
  const responses = await Promise.all(
    // More would wait too long for a connection on a busy machine, and get 503.
    [...requests, ...requests].map((request) => ann.try(acceptTrade, params(request))),
  )
  const won = responses.filter(({ status }) => status === 200)
  expect(new Set(won.map(({ body }) => body.id)).size).toBe(1)
  expect(won.length).toBe(2)
  expect(responses.filter(({ status }) => status === 409).length).toBe(2 * askers - 2)
  await world.jobsDone()
  const all = await Promise.all(others.map(kindsOf))
  expect(all.flat().sort()).toEqual(['trade_accepted', ...Array(askers - 1).fill('trade_in_line')])
})

test('a swap promises both listings, and is done when both are handed over', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const [plums, leeks] = [await exchange(ann, 'Plums'), await exchange(bob, 'Leeks')]
  const waiting = await ask(cat, leeks)
  const swap = await bob.call(createTrade, { body: { listing_id: plums.id, offer_listing_id: leeks.id } })
  expect(swap).toMatchObject({
    kind: 'swap',
    legs: [{ accepted: false }, { accepted: true, position: null }],
  })
  await ann.call(acceptTrade, params(swap))
  expect([await stateOf(ann, plums), await stateOf(bob, leeks)]).toEqual([states.reserved, states.reserved])
  for (const [taker, { id }] of [
    [ann, leeks],
    [bob, plums],
  ] as const) {
    const again = await taker.try(createTrade, { body: { listing_id: id } })
    expect([again.status, again.body.detail]).toEqual([409, tradeMessages.promisedToYou])
  }
  const half = await bob.call(handOverTrade, { ...params(swap), body: { listing_id: leeks.id } })
  expect(half.legs.map(({ handed_over }) => handed_over)).toEqual([false, true])
  const done = await ann.call(handOverTrade, { ...params(swap), body: { listing_id: plums.id } })
  expect(done.state).toBe('done')
  expect([await stateOf(ann, plums), await stateOf(bob, leeks)]).toEqual([states.gone, states.gone])
  expect(await cat.call(getTrade, params(waiting))).toMatchObject({ state: 'lapsed', end_reason: 'given' })
})

test('a swap that ends after one handover keeps that listing gone', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [plums, leeks] = [await exchange(ann, 'Plums'), await exchange(bob, 'Leeks')]
  const swap = await bob.call(createTrade, { body: { listing_id: plums.id, offer_listing_id: leeks.id } })
  await ann.call(acceptTrade, params(swap))
  await bob.call(handOverTrade, { ...params(swap), body: { listing_id: leeks.id } })
  await bob.call(withdrawTrade, params(swap))
  expect([await stateOf(ann, plums), await stateOf(bob, leeks)]).toEqual([states.available, states.gone])
})

test('a ring is accepted once all have accepted, and ends with the first refusal without naming who', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const listings = [await exchange(ann, 'Plums'), await exchange(bob, 'Figs'), await exchange(cat, 'Garlic')]
  const ring = listings.map(({ id }) => id)
  const proposed = await ann.call(createTrade, { body: { ring } })
  expect(proposed).toMatchObject({
    kind: 'ring',
    legs: [{ giver_id: ann.id, taker_id: bob.id, accepted: true }, {}, {}],
  })
  const [first, ...others] = ring
  const rotated = await bob.try(createTrade, { body: { ring: [...others, first ?? 0] } })
  expect([rotated.status, rotated.body.id]).toEqual([200, proposed.id])
  const reversed = await bob.try(createTrade, { body: { ring: ring.toReversed() } })
  expect([reversed.status, reversed.body.detail]).toEqual([409, tradeMessages.openAlready])
  await cat.call(acceptTrade, params(proposed))
  const seen = await ann.call(getTrade, params(proposed))
  expect([seen.state, seen.legs.map(({ accepted }) => accepted)]).toEqual(['requested', [true, false, false]])
  await bob.call(declineTrade, params(proposed))
  await world.jobsDone()
  const { trade_legs = [] } = (await ann.call(exportProfile)) as Record<string, Record<string, unknown>[]>
  expect(trade_legs.map(({ giver_id, accepted }) => [giver_id, accepted])).toEqual([
    [ann.id, true],
    [cat.id, undefined],
  ])
  for (const who of [ann, cat]) {
    const [latest] = await who.call(listNotifications, { query: {} })
    expect(latest).toMatchObject({ kind: 'trade_declined', user: { id: who.id }, trade: { id: proposed.id } })
  }

  const held = await cat.call(createTrade, { body: { ring } })
  await ann.call(acceptTrade, params(held))
  expect((await bob.call(acceptTrade, params(held))).state).toBe('accepted')
  const again = await ann.try(createTrade, { body: { listing_id: listings[2]?.id } })
  expect([again.status, again.body.detail]).toEqual([409, tradeMessages.promisedToYou])
  for (const [place, who] of [ann, bob, cat].entries())
    await who.call(handOverTrade, { ...params(held), body: { listing_id: ring[place] } })
  expect((await ann.call(getTrade, params(held))).state).toBe('done')
})

test('a giveaway is in a ring only if its owner has opened it', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const others = [await exchange(ann, 'Plums'), await exchange(bob, 'Figs')].map(({ id }) => id)
  const closed = await giveaway(cat)
  const open = await giveaway(cat, 'Garlic', { open_to_rings: true })
  const response = await ann.try(createTrade, { body: { ring: [...others, closed.id] } })
  expect([response.status, response.body.detail]).toEqual([422, tradeMessages.ringNotOpen])
  expect((await ann.try(createTrade, { body: { ring: [...others, open.id] } })).status).toBe(201)
})

test("lists a member's trades newest first, filtered by state, listing and partner", async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const [plums, figs] = [await giveaway(ann), await giveaway(cat, 'Figs')]
  const [first, second] = [await ask(bob, plums), await ask(bob, figs)]
  await ann.call(declineTrade, params(first))
  const ids = async (query: object) => (await bob.call(listTrades, { query })).map(({ id }) => id)
  expect(await ids({})).toEqual([second.id, first.id])
  expect(await ids({ state: 'open' })).toEqual([second.id])
  expect(await ids({ state: 'closed' })).toEqual([first.id])
  expect(await ids({ with: ann.id })).toEqual([first.id])
  expect(await ids({ listing_id: figs.id })).toEqual([second.id])
  expect((await bob.pages<Trade>('/api/trades?limit=1')).map((page) => page.map(({ id }) => id))).toEqual([
    [second.id],
    [first.id],
  ])
})

test('a change of a promised listing that is refused is rolled back with the work of other subscribers', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  await ann.call(acceptTrade, params(await ask(bob, plums)))
  await world.jobsDone()
  const jobs = await world.jobsOf('match-listing')

  const refused = await ann.try(updateListing, {
    ...params(plums),
    body: { title: 'Damsons', state_id: states.available },
  })

  expect([refused.status, refused.body.detail]).toEqual([409, tradeMessages.listingPromised])
  expect((await ann.call(getListing, params(plums))).title).toBe('Plums')
  expect(await world.jobsOf('match-listing')).toHaveLength(jobs.length)
})
