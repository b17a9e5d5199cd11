import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { states, types } from '#contract/constants.ts'
import { createListing, getListing, type Listing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { acceptTrade, createTrade, getTrade, type Trade } from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from '../listings/jobs.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const giveaway = (owner: Actor): Promise<Listing> =>
  owner.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })
const ask = (who: Actor, { id }: Listing): Promise<Trade> =>
  who.call(createTrade, { body: { listing_id: id } })
const params = ({ id }: Pick<Trade, 'id'>) => ({ params: { id } })
const stateOf = async (owner: Actor, listing: Listing) =>
  (await owner.call(getListing, params(listing))).state_id
const kindsOf = async (who: Actor) =>
  (await who.call(listNotifications, { query: {} })).map(({ kind }) => kind)

test('an unanswered request and a promise lapse, each after a reminder', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const plums = await giveaway(ann)
  const past = new Date(Date.now() - 1000).toISOString()
  const reachTime = async ({ id }: Trade, column: 'remind_at' | 'expires_at') => {
    await world.db
      .updateTable('trades')
      .set({ [column]: past })
      .where('id', '=', id)
      .execute()
    await world.runJob(advanceTrades)
    await world.jobsDone()
  }
  const days = ({ created_at, expires_at }: Trade) =>
    Math.round((Date.parse(expires_at ?? '') - Date.parse(created_at)) / 86_400_000)
  const request = await ask(bob, plums)
  expect(days(request)).toBe(7)
  await reachTime(request, 'remind_at')
  expect(await kindsOf(bob)).toEqual(['trade_reminder'])
  await reachTime(request, 'expires_at')
  expect((await bob.call(getTrade, params(request))).state).toBe('lapsed')

  const promise = await ask(bob, plums)
  expect(days(await ann.call(acceptTrade, params(promise)))).toBe(21)
  await reachTime(promise, 'remind_at')
  const reminders = (await kindsOf(ann)).filter((kind) => kind === 'trade_reminder')
  expect(reminders).toHaveLength(2)
  await reachTime(promise, 'expires_at')
  expect([(await bob.call(getTrade, params(promise))).state, await stateOf(ann, plums)]).toEqual([
    'lapsed',
    states.available,
  ])
  expect(await kindsOf(ann)).toEqual(
    expect.arrayContaining(['trade_lapsed', 'trade_requested', 'trade_reminder']),
  )
})

const tradeState = async (who: Actor, id: number) => (await who.call(getTrade, { params: { id } })).state

async function refuseUpdatesOf(trade: number) {
  const name = sql.raw(`refuse_update_of_${trade}`)
  await sql`create or replace function refuse_update() returns trigger language plpgsql as
    $$ begin raise exception 'This trade can not be updated'; end $$`.execute(world.db)
  await sql`create trigger ${name} before update on trades
    for each row when (new.id = ${sql.lit(trade)}) execute function refuse_update()`.execute(world.db)
}

test('a trade that fails to lapse or to remind delays no other trade', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [failing, lapsing, reminding] = [
    (await ask(bob, await giveaway(ann))).id,
    (await ask(bob, await giveaway(ann))).id,
    (await ask(bob, await giveaway(ann))).id,
  ]
  const setTimes = (id: number, times: { expires_at?: string; remind_at?: string }) =>
    world.db.updateTable('trades').set(times).where('id', '=', id).execute()
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  await setTimes(failing, { expires_at: secondsAgo(9), remind_at: secondsAgo(9) })
  await setTimes(lapsing, { expires_at: secondsAgo(1) })
  await setTimes(reminding, { remind_at: secondsAgo(1) })
  await refuseUpdatesOf(failing)
  await world.runJob(advanceTrades)

  expect(await tradeState(bob, failing)).toBe('requested')
  expect(await tradeState(bob, lapsing)).toBe('lapsed')
  const notifications = await bob.call(listNotifications, { query: {} })
  const reminders = notifications.filter(({ kind }) => kind === 'trade_reminder')
  expect(reminders.map(({ trade }) => trade?.id)).toEqual([reminding])
  const states = (await world.jobsOf('advance-trades')).map(({ state }) => state)
  expect(states).toContain('retry')
})

test('a request that fails to end with its listing delays no other request', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await giveaway(ann)
  const [failing, other] = [(await ask(bob, plums)).id, (await ask(cat, plums)).id]
  await refuseUpdatesOf(failing)
  const expires_at = new Date(Date.now() - 1000).toISOString()
  await world.db.updateTable('listings').set({ expires_at }).where('id', '=', plums.id).execute()
  await world.runJob(endExpiredListings)

  expect(await tradeState(bob, failing)).toBe('requested')
  expect(await tradeState(cat, other)).toBe('lapsed')
})
