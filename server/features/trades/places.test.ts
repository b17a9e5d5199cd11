import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { blockMember } from '#contract/members.ts'
import { deleteProfile, exportProfile } from '#contract/profile.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  getPickupCalendar,
  getTrade,
  handOverTrade,
  setPickupPlace,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'
import { deletePlaces } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const place = 'The blue gate, Leek Lane 1'

/** Lets Ann promise plums to Bob and say where. Cat waits in line. */
async function promised() {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const { id: listing_id } = await ann.call(createListing, {
    body: { title: 'Plums', type_id: types.giveaway },
  })
  const ask = async (who: Actor) => {
    const { id } = await who.call(createTrade, { body: { listing_id } })
    return { params: { id } }
  }
  const [trade, waiting] = [await ask(bob), await ask(cat)]
  const say = (who: Actor, text = place) => who.try(setPickupPlace, { ...trade, body: { place: text } })
  return { ann, bob, cat, trade, waiting, say }
}

const placeFor = async (who: Actor, trade: { params: { id: number } }) =>
  (await who.call(getTrade, trade)).legs[0]?.pickup_place
const storedPlaces = async (who: Actor) => {
  const query = world.db.selectFrom('trade_legs').select('pickup_place').where('giver_id', '=', who.id)
  return (await query.execute()).flatMap(({ pickup_place }) => pickup_place ?? [])
}

test('the giver says where once it is promised, and only the taker reads it', async () => {
  const { ann, bob, cat, trade, waiting, say } = await promised()
  expect((await say(ann)).status).toBe(409)
  await ann.call(acceptTrade, trade)
  expect((await ann.call(getTrade, trade)).allowed).toContain('set_place')
  expect((await bob.call(getTrade, trade)).allowed).not.toContain('set_place')
  expect((await say(bob)).status).toBe(403)
  expect((await say(cat)).status).toBe(404)

  using socket = await connectSocket(bob)
  expect((await say(ann)).status).toBe(200)
  expect([await placeFor(ann, trade), await placeFor(bob, trade)]).toEqual([place, place])
  expect(await placeFor(cat, waiting)).toBeNull()
  await expect
    .poll(() => socket.received('trade_changed').at(-1))
    .toMatchObject({ legs: [{ pickup_place: place }] })
  await ann.call(handOverTrade, { ...trade, body: {} })
  expect(await placeFor(bob, trade)).toBe(place)
  expect((await say(ann, 'Elsewhere')).status).toBe(409)
})

test('a place can be changed and deleted, and has at most 200 characters', async () => {
  const { ann, bob, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  const { status, body } = await say(ann, 'x'.repeat(201))
  expect([status, body.errors]).toEqual([422, [{ field: 'place', message: tradeMessages.placeTooLong }]])
  await say(ann)
  await say(ann, ' The shed ')
  expect(await placeFor(bob, trade)).toBe('The shed')
  await say(ann, ' ')
  expect(await placeFor(bob, trade)).toBeNull()
})

test('of a ring only the two of a leg read its place', async () => {
  const members = await world.uniqueMembers('ann', 'bob', 'cat')
  const ring: number[] = []
  for (const [place, member] of members.entries())
    ring.push(
      (await member.call(createListing, { body: { title: `Seeds ${place}`, type_id: types.exchange } })).id,
    )
  const [ann, bob, cat] = members
  const { id } = await ann.call(createTrade, { body: { ring } })
  for (const other of [bob, cat]) await other.call(acceptTrade, { params: { id } })
  await ann.call(setPickupPlace, { params: { id }, body: { place } })
  const places: (string | null | undefined)[] = []
  for (const member of members) places.push(await placeFor(member, { params: { id } }))
  // Ann gives to Bob.
  expect(places).toEqual([place, place, null])
})

test('a promise that ends without a handover deletes the place at once', async () => {
  const { ann, bob, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  await say(ann)
  await bob.call(withdrawTrade, trade)
  expect([await placeFor(ann, trade), await storedPlaces(ann)]).toEqual([null, []])
})

test('a block hides the place from the taker, and the account of the giver takes it along', async () => {
  const { ann, bob, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  await say(ann)
  await ann.call(handOverTrade, { ...trade, body: {} })
  await ann.call(blockMember, { params: { id: bob.id } })
  expect(await placeFor(bob, trade)).toBeNull()
  await ann.call(deleteProfile, { body: { password: ann.password } })
  expect(await storedPlaces(ann)).toEqual([])
})

test('a place is in the export of the giver only', async () => {
  const { ann, bob, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  await say(ann)
  const textOf = async (who: Actor) => JSON.stringify(await who.call(exportProfile))
  expect(await textOf(ann)).toContain(place)
  expect(await textOf(bob)).not.toContain(place)
})

test('the calendar file names the place', async () => {
  const { ann, bob, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  await say(ann, 'The blue gate')
  const start = Date.now() + 24 * 3_600_000
  const times = { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 60_000).toISOString() }
  await ann.call(changePickup, { ...trade, body: times })
  await bob.call(changePickup, { ...trade, body: { accept: true } })
  const file = await (await bob.fetch(getPickupCalendar, trade)).text()
  expect(file).toContain('LOCATION:The blue gate')
})

test.each([
  ['29 days after the end of the trade', 29, null, [place]],
  ['31 days after the end of the trade', 31, null, []],
  ['31 days after the pickup', 1, 31, []],
  ['29 days after the pickup', 31, 29, [place]],
] as const)('%s a job keeps or deletes the place', async (_, endDays, pickupDays, kept) => {
  const { ann, trade, say } = await promised()
  await ann.call(acceptTrade, trade)
  await say(ann)
  await ann.call(handOverTrade, { ...trade, body: {} })
  const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()
  const pickup =
    pickupDays === null
      ? {}
      : {
          pickup_starts_at: ago(pickupDays),
          pickup_ends_at: ago(pickupDays),
          pickup_proposed_by: ann.id,
        }
  await world.db
    .updateTable('trades')
    .set({ updated_at: ago(endDays), ...pickup })
    .where('id', '=', trade.params.id)
    .execute()
  await world.runJob(deletePlaces)
  expect(await storedPlaces(ann)).toEqual(kept)
})
