import { afterAll, expect, test } from 'vitest'
import { confirmEmail } from '#contract/auth.ts'
import { types } from '#contract/constants.ts'
import { createListing } from '#contract/listings.ts'
import { getPublicMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
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
  thankForTrade,
  tradeMessages,
} from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { newWorld } from '#test/world.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Mails go only to confirmed addresses. */
async function confirm(member: Actor) {
  await world.jobsDone()
  const [welcome] = world.mailTo(member)
  await member.call(confirmEmail, { body: { token: tokenIn(welcome) } })
}

async function promised(giver: Actor, taker: Actor) {
  const { id: listing_id } = await giver.call(createListing, {
    body: { title: 'Plums, two', type_id: types.giveaway },
  })
  const { id } = await taker.call(createTrade, { body: { listing_id } })
  await giver.call(acceptTrade, { params: { id } })
  return { params: { id } }
}

async function done(giver: Actor, taker: Actor) {
  const trade = await promised(giver, taker)
  await taker.call(handOverTrade, { ...trade, body: {} })
  return trade
}

function span(hoursFromNow: number, hours = 1) {
  const start = Date.now() + hoursFromNow * 3_600_000
  return {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + hours * 3_600_000).toISOString(),
  }
}

test('a pickup is proposed by one and accepted by the other', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  const first = await bob.call(changePickup, { ...trade, body: span(24) })
  expect(first.pickup).toMatchObject({ proposed_by: bob.id, accepted: false })
  expect(first.allowed).not.toContain('accept_pickup')
  expect((await bob.try(changePickup, { ...trade, body: { accept: true } })).status).toBe(403)
  expect((await ann.try(getPickupCalendar, trade)).status).toBe(404)
  const second = await ann.call(changePickup, { ...trade, body: span(48) })
  expect(second.pickup).toMatchObject({ proposed_by: ann.id, accepted: false })
  expect((await bob.call(getTrade, trade)).allowed).toContain('accept_pickup')
  const accepted = await bob.call(changePickup, { ...trade, body: { accept: true } })
  expect(accepted.pickup).toMatchObject({ proposed_by: ann.id, accepted: true })
  expect((await bob.try(changePickup, { ...trade, body: { accept: true } })).status).toBe(200)
})

test('refuses an invalid pickup', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  const { starts_at, ends_at } = span(24)
  const tries: [object, number, string][] = [
    [{}, 422, tradeMessages.pickupTime],
    [{ starts_at }, 422, tradeMessages.pickupTime],
    [{ starts_at: 'soon', ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at, ends_at, accept: true }, 422, tradeMessages.pickupTime],
    [{ starts_at: ends_at, ends_at: starts_at }, 422, tradeMessages.pickupOrder],
    [span(24, 13), 422, tradeMessages.pickupOrder],
    [span(-2), 422, tradeMessages.pickupPast],
    [span(61 * 24), 422, tradeMessages.pickupTooLate],
    [{ accept: true }, 409, tradeMessages.conflict],
  ]
  for (const [body, status, detail] of tries) {
    const response = await ann.try(changePickup, { ...trade, body: body as never })
    expect([response.status, response.body.detail]).toEqual([status, detail])
  }
})

test('an accepted pickup has a calendar file and reminds both members an hour before', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  for (const who of [ann, bob]) await confirm(who)
  const trade = await promised(ann, bob)
  const { starts_at, ends_at } = span(30 * 24)
  await bob.call(changePickup, { ...trade, body: { starts_at, ends_at } })
  const { expires_at } = await ann.call(changePickup, { ...trade, body: { accept: true } })
  expect(Date.parse(expires_at ?? '')).toBeGreaterThan(Date.parse(ends_at))

  const file = await ann.fetch(getPickupCalendar, trade)
  expect(file.headers.get('content-type')).toContain('text/calendar')
  const text = await file.text()
  const utc = (moment: string) => `${moment.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  for (const line of [
    'BEGIN:VCALENDAR',
    `DTSTART:${utc(starts_at)}`,
    `DTEND:${utc(ends_at)}`,
    'END:VCALENDAR',
  ])
    expect(text.split('\r\n')).toContain(line)
  expect(text).toContain(`SUMMARY:Pickup with ${bob.username}: Plums\\, two`)

  const [stored] = await world.db
    .selectFrom('trades')
    .select('pickup_remind_at')
    .where('id', '=', trade.params.id)
    .execute()
  expect(Date.parse(starts_at) - Date.parse(stored?.pickup_remind_at ?? '')).toBe(3_600_000)
  await world.db
    .updateTable('trades')
    .set({ pickup_remind_at: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', trade.params.id)
    .execute()
  await world.runJob(advanceTrades)
  await world.runJob(advanceTrades)
  await world.jobsDone()
  for (const who of [ann, bob]) {
    const kinds = (await who.call(listNotifications, { query: {} })).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'pickup_reminder')).toEqual(['pickup_reminder'])
    expect(world.mailTo(who).filter(({ subject }) => subject === 'Your pickup is soon').length).toBe(1)
  }
})

test('each side leaves one thank-you after the trade is done', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const early = await promised(ann, bob)
  expect((await bob.try(thankForTrade, { ...early, body: { text: 'Thanks!' } })).body.code).toBe(
    'trade_conflict',
  )
  const trade = await done(ann, bob)
  const first = await bob.try(thankForTrade, { ...trade, body: { text: 'The best plums' } })
  const again = await bob.try(thankForTrade, { ...trade, body: { text: 'Something else' } })
  expect([first.status, again.status, again.body.text]).toEqual([201, 200, 'The best plums'])
  await ann.call(thankForTrade, { ...trade, body: { text: 'You are welcome' } })
  expect(await bob.call(listThanks, { params: { id: ann.id }, query: {} })).toMatchObject([
    { text: 'The best plums', author: { id: bob.id }, receiver_id: ann.id, listing_title: 'Plums, two' },
  ])
  expect((await ann.call(getTrade, trade)).thanks.map(({ text }) => text)).toEqual([
    'The best plums',
    'You are welcome',
  ])
  expect((await ann.call(getTrade, trade)).allowed).toEqual([])
  expect(await bob.call(getPublicMember, { params: { id: ann.id } })).toMatchObject({
    given_count: 1,
    received_count: 0,
  })
  expect(await ann.call(getPublicMember, { params: { id: bob.id } })).toMatchObject({
    given_count: 0,
    received_count: 1,
  })
  const long = await ann.try(thankForTrade, { ...trade, body: { text: 'x'.repeat(201) } })
  expect([long.status, long.body.detail]).toEqual([422, tradeMessages.thanksTooLong])
})

test('a thank-you is hidden by its receiver, and reported by anyone who sees it', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const trade = await done(ann, bob)
  const { id } = await bob.call(thankForTrade, { ...trade, body: { text: 'Rude words' } })
  expect((await cat.try(report, { body: { thanks_id: id, reason: 'Rude' } })).status).toBe(202)
  await world.jobsDone()
  expect(world.mailTo({ email: 'hello@rhubarb.example' }).at(-1)?.text).toContain('Rude words')
  expect((await bob.try(hideThanks, { params: { id } })).status).toBe(404)
  await ann.call(hideThanks, { params: { id } })
  expect(await cat.call(listThanks, { params: { id: ann.id }, query: {} })).toEqual([])
  expect((await ann.call(getTrade, trade)).thanks).toEqual([])
  expect((await bob.call(getTrade, trade)).thanks.map(({ text }) => text)).toEqual(['Rude words'])
  expect((await cat.try(report, { body: { thanks_id: id, reason: 'Rude' } })).status).toBe(404)
})
