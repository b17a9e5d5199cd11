import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing, type Listing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { createTrade, getTrade } from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'
import { endExpiredListings } from '../listings/jobs.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
await sql`create function refuse_update() returns trigger language plpgsql as
  $$ begin raise exception 'This trade can not be updated'; end $$`.execute(world.db)

const give = (owner: Actor): Promise<Listing> =>
  owner.call(createListing, { body: { title: 'Plums', type_id: types.giveaway } })
const ask = async (who: Actor, { id }: Listing) =>
  (await who.call(createTrade, { body: { listing_id: id } })).id
const stateOf = async (who: Actor, id: number) => (await who.call(getTrade, { params: { id } })).state

async function refuseUpdatesOf(trade: number) {
  const name = sql.raw(`refuse_update_of_${trade}`)
  await sql`create trigger ${name} before update on trades
    for each row when (new.id = ${sql.lit(trade)}) execute function refuse_update()`.execute(world.db)
}

test('a trade that fails to lapse or to remind delays no other trade', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const [failing, lapsing, reminding] = [
    await ask(bob, await give(ann)),
    await ask(bob, await give(ann)),
    await ask(bob, await give(ann)),
  ]
  const setTimes = (id: number, times: { expires_at?: string; remind_at?: string }) =>
    world.db.updateTable('trades').set(times).where('id', '=', id).execute()
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  await setTimes(failing, { expires_at: secondsAgo(9), remind_at: secondsAgo(9) })
  await setTimes(lapsing, { expires_at: secondsAgo(1) })
  await setTimes(reminding, { remind_at: secondsAgo(1) })
  await refuseUpdatesOf(failing)
  await world.runJob(advanceTrades)

  expect(await stateOf(bob, failing)).toBe('requested')
  expect(await stateOf(bob, lapsing)).toBe('lapsed')
  const notifications = await bob.call(listNotifications, { query: {} })
  const reminders = notifications.filter(({ kind }) => kind === 'trade_reminder')
  expect(reminders.map(({ trade }) => trade?.id)).toEqual([reminding])
  const states = (await world.jobsOf('advance-trades')).map(({ state }) => state)
  expect(states).toContain('retry')
})

test('a request that fails to end with its listing delays no other request', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const plums = await give(ann)
  const [failing, other] = [await ask(bob, plums), await ask(cat, plums)]
  await refuseUpdatesOf(failing)
  const expires_at = new Date(Date.now() - 1000).toISOString()
  await world.db.updateTable('listings').set({ expires_at }).where('id', '=', plums.id).execute()
  await world.runJob(endExpiredListings)

  expect(await stateOf(bob, failing)).toBe('requested')
  expect(await stateOf(cat, other)).toBe('lapsed')
})
