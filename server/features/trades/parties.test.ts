import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { blockMember, unblockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { deleteProfile } from '#contract/profile.ts'
import { report } from '#contract/reports.ts'
import {
  acceptTrade,
  changePickup,
  createTrade,
  getPickupCalendar,
  getTrade,
  handOverTrade,
  hideThanks,
  listThanks,
  listTrades,
  thankForTrade,
  tradeMessages,
  withdrawTrade,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

const give = async (owner: Actor, more: object = {}) =>
  (await owner.call(createListing, { body: { title: 'Plums', type_id: types.giveaway, ...more } })).id

async function promised(giver: Actor, taker: Actor, more: object = {}) {
  const { id } = await taker.call(createTrade, { body: { listing_id: await give(giver, more) } })
  await giver.call(acceptTrade, { params: { id } })
  return { params: { id } }
}

async function arrangePickup(giver: Actor, taker: Actor, trade: { params: { id: number } }) {
  const start = Date.now() + 3_600_000
  const span = {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 1_800_000).toISOString(),
  }
  await taker.call(changePickup, { ...trade, body: span })
  await giver.call(changePickup, { ...trade, body: { accept: true } })
}

async function doneRing(...members: readonly Actor[]) {
  const ring: number[] = []
  for (const member of members) ring.push(await give(member, { type_id: types.exchange }))
  const [first, ...others] = members
  const { id } = (await first?.call(createTrade, { body: { ring } })) ?? { id: 0 }
  for (const other of others) await other.call(acceptTrade, { params: { id } })
  for (const [place, member] of members.entries())
    await member.call(handOverTrade, { params: { id }, body: { listing_id: ring[place] } })
  return { params: { id } }
}

const text = 'Lovely plums'
const thankStatus = async (who: Actor, trade: { params: { id: number } }) => {
  const { status, body } = await who.try(thankForTrade, { ...trade, body: { text } })
  return [status, body.detail ?? body.text]
}

test.each(['giver', 'taker'])(
  'after a block by its %s both read a done trade, hide and report, but can not thank',
  async (by) => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const trade = await promised(ann, bob)
    await arrangePickup(ann, bob, trade)
    await ann.call(handOverTrade, { ...trade, body: {} })
    const { id } = await bob.call(thankForTrade, { ...trade, body: { text } })
    await world.jobsDone()
    const kinds = async (who: Actor) =>
      (await who.call(listNotifications, { query: {} })).map(({ kind }) => kind)
    const before = [await kinds(ann), await kinds(bob)]
    const [blocker, blocked] = by === 'giver' ? [ann, bob] : [bob, ann]
    await blocker.call(blockMember, { params: { id: blocked.id } })

    for (const [who, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      expect(await who.call(getTrade, trade)).toMatchObject({
        state: 'done',
        allowed: [],
        thanks: [{ text }],
        legs: [{ giver: { username: ann.username }, taker: { username: bob.username } }],
      })
      expect((await who.call(listTrades, { query: { with: other.id } })).map(({ id }) => id)).toEqual([
        trade.params.id,
      ])
      expect((await who.try(getPickupCalendar, trade)).status).toBe(200)
      expect((await who.try(report, { body: { user_id: other.id, reason: 'Rude' } })).status).toBe(202)
    }
    expect(await thankStatus(ann, trade)).toEqual([403, tradeMessages.notPossible])
    expect(await thankStatus(bob, trade)).toEqual([200, text])
    await world.jobsDone()
    // A block deletes notifications, and none comes.
    for (const [index, who] of [ann, bob].entries())
      expect(before[index]).toEqual(expect.arrayContaining(await kinds(who)))
    expect((await ann.try(report, { body: { thanks_id: id, reason: 'Rude' } })).status).toBe(202)
    await ann.call(hideThanks, { params: { id } })
    await blocker.call(unblockMember, { params: { id: blocked.id } })
    expect((await ann.call(getTrade, trade)).allowed).toEqual(['thank'])
    expect(await thankStatus(ann, trade)).toEqual([201, text])
  },
)

test('a block between two members of a done ring leaves the thank-yous of the others', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const ring = await doneRing(ann, bob, cat)
  await cat.call(blockMember, { params: { id: bob.id } })
  const allowed = async (who: Actor) => (await who.call(getTrade, ring)).allowed
  // Ann gives to Bob, Bob to Cat, Cat to Ann. A thank-you goes to the giver.
  expect([await allowed(ann), await allowed(bob), await allowed(cat)]).toEqual([['thank'], ['thank'], []])
  expect(await thankStatus(cat, ring)).toEqual([403, tradeMessages.notPossible])
  expect(await thankStatus(bob, ring)).toEqual([201, text])
})

test('nobody can thank a member who is suspended or has left', async () => {
  const [ann, bob, cat, dan] = await world.uniqueMembers('ann', 'bob', 'cat', 'dan')
  const [single, ring] = [await promised(ann, bob), await doneRing(ann, cat, dan)]
  await ann.call(handOverTrade, { ...single, body: {} })
  await world.suspend(ann)
  expect((await bob.call(getTrade, single)).allowed).toEqual([])
  expect(await thankStatus(bob, single)).toEqual([409, tradeMessages.conflict])
  await cat.call(deleteProfile, { body: { password: cat.password } })
  expect((await dan.call(getTrade, ring)).allowed).toEqual([])
  expect(await thankStatus(dan, ring)).toEqual([409, tradeMessages.conflict])
})

test('the thank-you of a suspended member is hidden from the other party', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  await ann.call(handOverTrade, { ...trade, body: {} })
  expect(await thankStatus(bob, trade)).toEqual([201, text])
  expect((await ann.call(getTrade, trade)).thanks).toMatchObject([{ text }])
  await world.suspend(bob)
  expect((await ann.call(getTrade, trade)).thanks).toEqual([])
})

test('a trade that has ended has no calendar file', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  await arrangePickup(ann, bob, trade)
  expect((await bob.try(getPickupCalendar, trade)).status).toBe(200)
  await ann.call(withdrawTrade, trade)
  for (const who of [ann, bob]) expect((await who.try(getPickupCalendar, trade)).status).toBe(404)
})

test('a thank-you reveals the title of a listing only if it is public', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  await world.befriend(ann, bob)
  const titles: (string | null)[] = []
  for (const is_public of [true, false]) {
    const trade = await promised(ann, bob, { is_public })
    await ann.call(handOverTrade, { ...trade, body: {} })
    titles.unshift((await bob.call(thankForTrade, { ...trade, body: { text } })).listing_title)
  }
  expect(titles).toEqual([null, 'Plums'])
  const seen = await cat.call(listThanks, { params: { id: ann.id }, query: {} })
  expect(seen.map(({ listing_title }) => listing_title)).toEqual([null, 'Plums'])
})

test('a listing can be edited in each state of its trade, which keeps the title that was asked for', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const listing = await give(ann)
  const { id } = await bob.call(createTrade, { body: { listing_id: listing } })
  const edit = async (body: object) => {
    await ann.call(updateListing, { params: { id: listing }, body })
    const { state, legs } = await bob.call(getTrade, { params: { id } })
    return [state, legs[0]?.listing.title, legs[0]?.listing.is_visible]
  }
  expect(await edit({ title: 'Damsons' })).toEqual(['requested', 'Plums', true])
  await ann.call(acceptTrade, { params: { id } })
  // A promise outlives that the listing is hidden from its taker.
  expect(await edit({ title: 'Sloes', is_public: false })).toEqual(['accepted', 'Plums', false])
  expect(await edit({ is_active: false })).toEqual(['accepted', 'Plums', false])
  await ann.call(handOverTrade, { params: { id }, body: {} })
  expect(await edit({ title: 'Quinces' })).toEqual(['done', 'Plums', false])
})

test('a leg is handed over by its giver, for its taker asks for it, and by nobody else', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const ring: number[] = []
  for (const member of [ann, bob, cat]) ring.push(await give(member, { type_id: types.exchange }))
  const { id } = await ann.call(createTrade, { body: { ring } })
  for (const other of [bob, cat]) await other.call(acceptTrade, { params: { id } })
  const [plums = 0, figs = 0, garlic = 0] = ring
  const handOver = async (who: Actor, listing_id: number) =>
    (await who.try(handOverTrade, { params: { id }, body: { listing_id } })).status
  expect([await handOver(cat, plums), await handOver(bob, 999_999)]).toEqual([403, 422])
  expect([await handOver(ann, plums), await handOver(bob, plums)]).toEqual([200, 200])
  expect([await handOver(cat, figs), await handOver(ann, garlic), await handOver(ann, garlic)]).toEqual([
    200, 200, 200,
  ])
  expect((await bob.call(getTrade, { params: { id } })).state).toBe('accepted')
  expect([await handOver(bob, figs), await handOver(cat, garlic)]).toEqual([200, 200])
  expect((await bob.call(getTrade, { params: { id } })).state).toBe('done')
})

test('a ring with two members who block each other can not be proposed, and the block is not revealed', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const ring: number[] = []
  for (const member of [ann, bob, cat]) ring.push(await give(member, { type_id: types.exchange }))
  await bob.call(blockMember, { params: { id: cat.id } })
  const response = await ann.try(createTrade, { body: { ring } })
  expect([response.status, response.body.detail]).toEqual([409, tradeMessages.ringNotPossible])
})

test('a listing is asked for at most five times a day by the same member, however each request ends', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const listing_id = await give(ann)
  const ask = (who: Actor) => who.try(createTrade, { body: { listing_id } })
  for (let count = 0; count < 5; count += 1) {
    const { status, body } = await ask(bob)
    expect(status).toBe(201)
    await bob.call(withdrawTrade, { params: { id: body.id } })
  }
  const sixth = await ask(bob)
  expect([sixth.status, sixth.body.detail]).toEqual([429, tradeMessages.tooOften])
  expect((await ask(cat)).status).toBe(201)
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
  await world.db
    .updateTable('trades')
    .set({ created_at: yesterday })
    .where('requester_id', '=', bob.id)
    .execute()
  expect((await ask(bob)).status).toBe(201)
})
