import { afterAll, expect, test } from 'vitest'
import { notificationTimes, types } from '#contract/constants.ts'
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
import { newWorld } from '#test/world.ts'
import { advanceTrades } from './job-kinds.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

async function promised(giver: Actor, taker: Actor, title = 'Plums, two') {
  const { id: listing_id } = await giver.call(createListing, { body: { title, type_id: types.giveaway } })
  const { id } = await taker.call(createTrade, { body: { listing_id } })
  await giver.call(acceptTrade, { params: { id } })
  return { params: { id } }
}

async function done(giver: Actor, taker: Actor) {
  const trade = await promised(giver, taker)
  await giver.call(handOverTrade, { ...trade, body: {} })
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

  await bob.call(changePickup, { ...trade, body: span(24) })
  await world.db
    .updateTable('trades')
    .set({ pickup_starts_at: span(-2).starts_at, pickup_ends_at: span(-2).ends_at })
    .where('id', '=', trade.params.id)
    .execute()
  expect((await ann.call(getTrade, trade)).allowed).not.toContain('accept_pickup')
  const late = await ann.try(changePickup, { ...trade, body: { accept: true } })
  expect([late.status, late.body.detail]).toEqual([409, tradeMessages.pickupPast])
})

test('a pickup lasts at most 12 hours and begins within 60 days', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  const minute = 1 / 60
  const tries: [fromHours: number, hours: number, status: number][] = [
    [24, 12, 200],
    [24, 12 + minute, 422],
    [60 * 24 - minute, 1, 200],
    [60 * 24 + 5 * minute, 1, 422],
  ]
  for (const [from, hours, status] of tries)
    expect([
      from,
      hours,
      (await ann.try(changePickup, { ...trade, body: span(from, hours) })).status,
    ]).toEqual([from, hours, status])
})

test('refuses an invalid pickup', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  const { starts_at, ends_at } = span(24)
  const tries: [object, number, string][] = [
    [{}, 422, tradeMessages.pickupTime],
    [{ starts_at }, 422, tradeMessages.pickupTime],
    [{ starts_at: 'soon', ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at, accept: true }, 422, tradeMessages.pickupTime],
    [{ starts_at: ends_at, ends_at: starts_at }, 422, tradeMessages.pickupOrder],
    [span(24, 13), 422, tradeMessages.pickupOrder],
    [span(-2), 422, tradeMessages.pickupPast],
    [span(61 * 24), 422, tradeMessages.pickupTooLate],
    [{ accept: true }, 409, tradeMessages.conflict],
    [{ starts_at, ends_at, accept: true }, 409, tradeMessages.conflict],
    [{ starts_at: '2026-02-30T10:00:00Z', ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at: '+275760-09-13T00:00:00Z', ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at: '2026-12-24T10:00:00', ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at: 1, ends_at }, 422, tradeMessages.pickupTime],
    [{ starts_at, ends_at: '9999-12-31T23:59:59Z' }, 422, tradeMessages.pickupOrder],
    [
      { starts_at: '9999-12-31T20:00:00Z', ends_at: '9999-12-31T23:59:59.999999999Z' },
      422,
      tradeMessages.pickupTooLate,
    ],
    [
      { starts_at: '0000-01-01T00:00:00Z', ends_at: '0000-01-01T01:00:00+00:00' },
      422,
      tradeMessages.pickupPast,
    ],
  ]
  for (const [body, status, detail] of tries) {
    const response = await ann.try(changePickup, { ...trade, body: body as never })
    expect([body, response.status, response.body.detail]).toEqual([
      body,
      status,
      expect.stringContaining(detail),
    ])
  }
})

test('accepts only the proposal that the member saw', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await promised(ann, bob)
  const [seen, replaced] = [span(24), span(30)]
  await bob.call(changePickup, { ...trade, body: seen })
  await bob.call(changePickup, { ...trade, body: replaced })
  const late = await ann.try(changePickup, { ...trade, body: { accept: true, ...seen } })
  expect([late.status, late.body.detail]).toEqual([409, tradeMessages.conflict])
  expect((await ann.call(getTrade, trade)).pickup?.accepted).toBe(false)
  const accepted = await ann.call(changePickup, { ...trade, body: { accept: true, ...replaced } })
  expect(accepted.pickup).toEqual({ ...replaced, proposed_by: bob.id, accepted: true })
})

test('escapes the calendar file, which has the same moment in every time zone', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const title = `Figs; "ripe", 1\\2 kg 🍑 ${'of the old tree '.repeat(3)}BEGIN:VEVENT`
  const trade = await promised(ann, bob, title)
  const start = new Date(Date.now() + 48 * 3_600_000)
  start.setUTCHours(23, 30, 0, 0)
  const local = new Date(start.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)
  const ends_at = new Date(start.getTime() + 3_600_000).toISOString()
  await bob.call(changePickup, { ...trade, body: { starts_at: `${local}+02:00`, ends_at } })
  await ann.call(changePickup, { ...trade, body: { accept: true } })
  const file = await (await bob.fetch(getPickupCalendar, trade)).text()

  const lines = file.split('\r\n')
  expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true)
  // https://www.rfc-editor.org/rfc/rfc5545#section-3.1
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n')
  expect(unfolded).toContain(`DTSTART:${start.toISOString().slice(0, 10).replaceAll('-', '')}T233000Z`)
  const escaped = title.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,')
  expect(unfolded).toContain(`SUMMARY:Pickup with ${ann.username}: ${escaped}`)
  expect(unfolded).toContain('TRIGGER:-PT1H')
  expect(unfolded.filter((line) => line.startsWith('BEGIN:VEVENT'))).toHaveLength(1)
})

test('an accepted pickup has a calendar file and reminds both members an hour before', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  for (const who of [ann, bob]) await world.confirm(who)
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
  await world.passMinutes(notificationTimes.tradeMailMinutes)
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
  expect([first.status, again.status, again.body.detail]).toEqual([201, 409, tradeMessages.thankedAlready])
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
})

test('a thank-you has 1 to 200 characters', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const trade = await done(ann, bob)
  for (const [text, detail] of [
    ['x'.repeat(201), tradeMessages.thanksTooLong],
    ['', tradeMessages.thanksEmpty],
    [' \n ', tradeMessages.thanksEmpty],
  ] as const) {
    const response = await ann.try(thankForTrade, { ...trade, body: { text } })
    expect([response.status, response.body.detail]).toEqual([422, detail])
  }
  const text = 'x'.repeat(200)
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => ann.try(thankForTrade, { ...trade, body: { text } })),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201])
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
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
