import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing, deleteListing } from '#contract/listings.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  sendMessage,
} from '#contract/messages.ts'
import { countUnreadNotifications, listNotifications } from '#contract/notifications.ts'
import { exportProfile } from '#contract/profile.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  getPickupCalendar,
  getTrade,
  handOverTrade,
  listThanks,
  listTrades,
  thankForTrade,
  tradeMessages,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const title = 'Zebra plums'

async function request(giver: Actor, taker: Actor) {
  const listing = await giver.call(createListing, { body: { title, type_id: types.giveaway } })
  const { id } = await taker.call(createTrade, { body: { listing_id: listing.id } })
  return { listing: listing.id, trade: { params: { id } } }
}

/** Makes a trade with an accepted pickup, which the giver hands over and the taker thanks for. */
async function doneTrade(giver: Actor, taker: Actor) {
  const { listing, trade } = await request(giver, taker)
  await giver.call(acceptTrade, trade)
  const start = Date.now() + 3_600_000
  const span = { starts_at: new Date(start).toISOString(), ends_at: new Date(start + 60_000).toISOString() }
  await taker.call(changePickup, { ...trade, body: span })
  await giver.call(changePickup, { ...trade, body: { accept: true } })
  await giver.call(handOverTrade, { ...trade, body: {} })
  await taker.call(thankForTrade, { ...trade, body: { text: 'Lovely' } })
  await world.jobsDone()
  return { listing, trade }
}

/** Returns everything that a party reads about a trade, as text. */
async function readBy(reader: Actor, other: Actor, trade: { params: { id: number } }): Promise<string> {
  const results = [
    await reader.try(getTrade, trade),
    await reader.try(listTrades, { query: {} }),
    await reader.try(listTrades, { query: { with: other.id } }),
    await reader.try(listNotifications, { query: {} }),
    await reader.try(listThreads, { query: {} }),
    await reader.try(listMessages, { params: { id: other.id }, query: {} }),
    await reader.try(listThanks, { params: { id: other.id }, query: {} }),
    await reader.try(exportProfile),
  ]
  const calendar = await reader.call(getPickupCalendar, trade)
  return JSON.stringify(results.map(({ body }) => body)) + (await calendar.text())
}

test('a hidden listing keeps no title, photo or drawing for the other party of its trade', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { listing, trade } = await doneTrade(ann, bob)
  const calendarOf = async (reader: Actor) => (await reader.call(getPickupCalendar, trade)).text()
  expect(await readBy(bob, ann, trade)).toContain(title)
  expect(await calendarOf(bob)).toContain(title)

  await world.hide(listing)
  expect(await readBy(bob, ann, trade)).not.toContain(title)
  const leg = (await bob.call(getTrade, trade)).legs[0]?.listing
  expect(leg).toMatchObject({ title: null, featured_image: null, drawing: null, is_visible: false })
  expect((await ann.call(getTrade, trade)).legs).toMatchObject([{ listing: { title } }])

  await world.show(listing)
  expect(await readBy(bob, ann, trade)).toContain(title)
})

test('a listing that was deleted while it was hidden stays without a title', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { listing, trade } = await doneTrade(ann, bob)
  await world.hide(listing)
  await ann.call(deleteListing, { params: { id: listing } })
  expect(await readBy(bob, ann, trade)).not.toContain(title)
})

test("a suspended member's listing has no title in the trades of others until the member is restored", async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { trade } = await doneTrade(ann, bob)
  await world.suspend(ann)
  expect(await readBy(bob, ann, trade)).not.toContain(title)
  await world.restore(ann)
  expect(await readBy(bob, ann, trade)).toContain(title)
})

test('a trade of a hidden listing is mailed without its title', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  const { listing } = await request(ann, bob)
  await world.hide(listing)
  await world.passMinutes(5)
  const mails = world.mailTo(bob)
  expect(mails).toHaveLength(1)
  expect(JSON.stringify(mails)).not.toContain(title)
})

test('the owner can not accept a request for a listing that the operator has hidden', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { listing, trade } = await request(ann, bob)
  // Without the event that ends the request.
  await world.db
    .updateTable('listings')
    .set({ hidden_at: new Date().toISOString() })
    .where('id', '=', listing)
    .execute()
  expect((await ann.call(getTrade, trade)).allowed).toEqual(['decline'])
  const { status, body } = await ann.try(acceptTrade, trade)
  expect([status, body.detail]).toEqual([409, tradeMessages.listingHidden])
})

test('blocking hides the thread, the badges and the trade notifications of the other, and unblocking brings them back', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await doneTrade(ann, bob)
  await cat.call(sendMessage, { body: { receiver_id: ann.id, content: 'Hello' } })
  const seenBy = async (reader: Actor) => ({
    threads: (await reader.call(listThreads, { query: {} })).map(({ user_id }) => user_id),
    found: (await reader.call(listThreads, { query: { q: '' } })).map(({ user_id }) => user_id),
    partners: await reader.call(listThreadMembers, { query: {} }),
    unread: await reader.call(countUnreadMessages),
    kinds: (await reader.call(listNotifications, { query: {} })).map(({ kind }) => kind),
    badge: await reader.call(countUnreadNotifications),
  })
  const before = [await seenBy(ann), await seenBy(bob)]
  expect(before[0]).toMatchObject({ partners: [cat.id, bob.id], unread: 2, badge: expect.any(Number) })
  expect(before[0]?.kinds).toContain('trade_requested')

  await ann.call(blockMember, { params: { id: bob.id } })
  const only = [cat.id]
  expect(await seenBy(ann)).toEqual({
    threads: only,
    found: only,
    partners: only,
    unread: 1,
    kinds: [],
    badge: 0,
  })
  // The blocked member must not learn of the block.
  expect(await seenBy(bob)).toEqual(before[1])

  await ann.call(unblockMember, { params: { id: bob.id } })
  expect([await seenBy(ann), await seenBy(bob)]).toEqual(before)
})
