import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import {
  acceptTrade,
  createTrade,
  denyHandOver,
  getTrade,
  handOverTrade,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Lets Ann promise plums to Bob, for which Cat waits. */
async function promised() {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const { id: listing } = await ann.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const ask = async (who: Actor) => {
    const { id } = await who.call(createTrade, { body: { listing_id: listing } })
    return { params: { id } }
  }
  const [trade, waiting] = [await ask(bob), await ask(cat)]
  await ann.call(acceptTrade, trade)
  const state = async () => {
    const { state_id } = await ann.call(getListing, { params: { id: listing } })
    return [(await bob.call(getTrade, trade)).state, state_id]
  }
  return { ann, bob, cat, trade, waiting, state }
}

const receive = (who: Actor, trade: { params: { id: number } }) =>
  who.call(handOverTrade, { ...trade, body: {} })
const latest = async (who: Actor) => {
  await world.jobsDone()
  return (await who.call(listNotifications, { query: {} }))[0]?.kind
}
/** Lets the time pass in which the giver can answer. */
async function passTheTime({ params }: { params: { id: number } }) {
  const before = new Date(Date.now() - 1000).toISOString()
  await world.db
    .updateTable('trade_legs')
    .set({ confirm_at: before })
    .where('trade_id', '=', params.id)
    .where('confirm_at', 'is not', null)
    .execute()
  await world.runJob(advanceTrades)
}

test('the word of the taker asks the giver, and the listing is gone and others are told after the yes', async () => {
  const { ann, bob, cat, trade, waiting, state } = await promised()
  using socket = await connectSocket(ann)
  const claimed = await receive(bob, trade)
  expect(claimed).toMatchObject({ state: 'accepted', legs: [{ handed_over: false }] })
  const hours = (Date.parse(claimed.legs[0]?.confirm_at ?? '') - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(48)
  expect(claimed.allowed).not.toContain('hand_over')
  expect([await state(), await latest(ann), await latest(cat)]).toEqual([
    ['accepted', states.reserved],
    'trade_received',
    'trade_in_line',
  ])
  await expect
    .poll(() => socket.received('trade_changed').at(-1))
    .toMatchObject({ allowed: expect.arrayContaining(['hand_over', 'deny_hand_over']) })

  const done = await ann.call(handOverTrade, { ...trade, body: {} })
  expect(done).toMatchObject({ state: 'done', legs: [{ handed_over: true, confirm_at: null }] })
  expect([await state(), await latest(bob), await latest(cat)]).toEqual([
    ['done', states.gone],
    'trade_done',
    'trade_gone',
  ])
  expect(await cat.call(getTrade, waiting)).toMatchObject({ state: 'lapsed', end_reason: 'given' })
})

test('the listing stays promised when the giver says not yet, and the taker can say it again', async () => {
  const { ann, bob, trade, state } = await promised()
  await receive(bob, trade)
  const denied = await ann.call(denyHandOver, trade)
  expect(denied).toMatchObject({ state: 'accepted', legs: [{ handed_over: false, confirm_at: null }] })
  expect(denied.allowed).not.toContain('deny_hand_over')
  expect([await state(), await latest(bob)]).toEqual([['accepted', states.reserved], 'trade_not_received'])

  await passTheTime(trade)
  expect(await state()).toEqual(['accepted', states.reserved])
  expect((await receive(bob, trade)).legs[0]?.confirm_at).not.toBeNull()
})

test('two days of silence confirm the handover', async () => {
  const { ann, bob, cat, trade, state } = await promised()
  await receive(bob, trade)
  await world.runJob(advanceTrades)
  expect(await state()).toEqual(['accepted', states.reserved])

  await passTheTime(trade)
  expect([await state(), await latest(ann), await latest(bob), await latest(cat)]).toEqual([
    ['done', states.gone],
    'trade_done',
    'trade_done',
    'trade_gone',
  ])
})

test('a promise does not lapse while the giver can still answer', async () => {
  const { bob, trade } = await promised()
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  await world.db.updateTable('trades').set({ expires_at: soon }).where('id', '=', trade.params.id).execute()
  const { legs, expires_at } = await receive(bob, trade)
  expect(Date.parse(expires_at ?? '')).toBeGreaterThan(Date.parse(legs[0]?.confirm_at ?? ''))
})

test('each word of giver and taker is idempotent', async () => {
  const { ann, bob, trade } = await promised()
  const first = await receive(bob, trade)
  expect(await receive(bob, trade)).toEqual(first)
  const denied = await ann.call(denyHandOver, trade)
  expect(await ann.call(denyHandOver, trade)).toEqual(denied)
})

test('the giver can not deny a handover that is confirmed, and only the giver can', async () => {
  const { ann, bob, cat, trade } = await promised()
  await receive(bob, trade)
  const statusOf = async (who: Actor) => (await who.try(denyHandOver, trade)).status
  expect(await statusOf(cat)).toBe(404)
  // The taker gives nothing in this trade.
  expect(await statusOf(bob)).toBe(403)
  await ann.call(handOverTrade, { ...trade, body: {} })
  expect(await statusOf(ann)).toBe(409)
})

test('ending the promise ends the question', async () => {
  const { ann, bob, trade, state } = await promised()
  await receive(bob, trade)
  await ann.call(withdrawTrade, trade)
  expect((await bob.call(getTrade, trade)).legs[0]?.confirm_at).toBeNull()
  await passTheTime(trade)
  expect(await state()).toEqual(['withdrawn', states.available])
})

test('in a swap each giver answers for what they give', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const post = async (who: Actor, title: string) =>
    (await who.call(createListing, { body: { title, type_id: types.exchange } })).id
  const [plums, leeks] = [await post(ann, 'Plums'), await post(bob, 'Leeks')]
  const { id } = await bob.call(createTrade, { body: { listing_id: plums, offer_listing_id: leeks } })
  const trade = { params: { id } }
  await ann.call(acceptTrade, trade)
  await receive(ann, trade)
  await receive(bob, trade)
  await bob.call(handOverTrade, { ...trade, body: { listing_id: leeks } })
  const { legs, state } = await ann.call(denyHandOver, trade)
  expect([state, legs.map(({ handed_over, confirm_at }) => [handed_over, confirm_at])]).toEqual([
    'accepted',
    [
      [false, null],
      [true, null],
    ],
  ])
})
