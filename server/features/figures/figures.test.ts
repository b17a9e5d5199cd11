import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { categories, types } from '#contract/constants.ts'
import { type FigureKind, figureDays, getFigures } from '#contract/figures.ts'
import { createListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { deleteProfile } from '#contract/profile.ts'
import { listReportCases, resolveReportCase } from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { createWant } from '#contract/wants.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'
import { countFigures } from './jobs.ts'

const world = await newWorld({ registration: true })
afterAll(() => world[Symbol.asyncDispose]())
const maud = await world.member({ username: 'maud' })
await admin(world, 'grant', 'maud', 'moderator')

/** Returns the counts of a kind, today's first. */
async function countsOf(kind: FigureKind) {
  const { figures } = await maud.call(getFigures)
  return figures.find((figure) => figure.kind === kind)?.counts.toReversed() ?? []
}

async function today() {
  const { figures } = await maud.call(getFigures)
  return Object.fromEntries(figures.map(({ kind, counts }) => [kind, counts.at(-1)]))
}

test('what happens today is counted by kind', async () => {
  await world.runJob(countFigures)
  const before = await today()
  const [ann, bob] = await world.members('ann', 'bob')
  await world.confirm(bob)
  const { produce, seeds } = categories
  const apples = { title: 'Apples', type_id: types.giveaway }
  const { id } = await ann.call(createListing, { body: { ...apples, category_id: produce } })
  await ann.call(createListing, { body: { title: 'Bean seed', type_id: types.giveaway, category_id: seeds } })
  await ann.call(createListing, { body: { title: 'A wheelbarrow', type_id: types.giveaway } })
  await bob.call(createWant, { body: { title: 'apples' } })
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'Apples?' } })
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Yes' } })
  for (const reporter of [bob, maud]) await reporter.call(report, { body: { listing_id: id, reason: 'Wax' } })
  await ann.call(report, { body: { user_id: bob.id, reason: 'Rude' } })
  const [, wax] = await maud.call(listReportCases, { query: {} })
  await maud.call(resolveReportCase, {
    params: { id: wax?.id ?? 0 },
    body: { outcome: 'dismiss', rule: 'other', reason: 'Real apples' },
  })
  await world.jobsDone()
  await world.runJob(countFigures)

  const counts = await today()
  const more = Object.fromEntries(
    Object.entries(counts).map(([kind, count]) => [kind, (count ?? 0) - (before[kind] ?? 0)]),
  )
  expect(more).toMatchObject({
    registrations: 2,
    registrations_confirmed: 1,
    active_members: 2,
    listings_produce: 1,
    listings_seeds: 1,
    listings_plants: 0,
    listings_uncategorized: 1,
    matches: 1,
    first_contacts: 1,
    messages: 2,
    reports_opened: 2,
    reports_closed: 1,
    reports_open: 1,
    mails_failed: 0,
    mails_refused: 0,
  })
  expect(counts.mails_sent).toBe(world.mails.length)
})

test('trades are counted by their last step, with the hours to the handover, and reports with those to their end', async () => {
  await world.runJob(countFigures)
  const before = await today()
  const [cat] = await world.members('cat')
  await sql`
    insert into trades (kind, state, requester_id, created_at, updated_at) values
      ('single', 'done', ${cat.id}, now() - interval '48 hours', now()),
      ('single', 'declined', ${cat.id}, now(), now()),
      ('single', 'withdrawn', ${cat.id}, now(), now())`.execute(world.db)
  await sql`update report_cases set created_at = created_at - interval '5 hours' where closed_at is not null`.execute(
    world.db,
  )
  await world.runJob(countFigures)
  const after = await today()
  const kinds = [
    'trades_begun',
    'trades_done',
    'trades_declined',
    'trades_lapsed',
    'handover_hours',
    'resolution_hours',
  ]
  expect(kinds.map((kind) => (after[kind] ?? 0) - (before[kind] ?? 0))).toEqual([2, 1, 1, 0, 48, 5])
})

test('days that were not counted are counted later, and what was counted stays when members leave', async () => {
  const [dan] = await world.members('dan')
  await sql`update users set created_at = now() - interval '30 days' where id = ${dan.id}`.execute(world.db)
  await sql`delete from daily_figures`.execute(world.db)
  expect(await countsOf('registrations')).toEqual(Array(figureDays).fill(null))
  await world.runJob(countFigures)
  const counted = await countsOf('registrations')
  expect(counted[30]).toBe(1)
  expect(counted.slice(31)).toEqual(Array(figureDays - 31).fill(0))

  await dan.call(deleteProfile, { body: { password: dan.password } })
  await world.runJob(countFigures)
  expect((await countsOf('registrations'))[30]).toBe(1)
})

test('mails that fail or are refused are counted', async () => {
  const sent = (await countsOf('mails_sent'))[0] ?? 0
  world.mailServer.refuseNext(1)
  const [eve] = await world.members('eve')
  await world.jobsDone()
  expect((await countsOf('mails_failed'))[0]).toBe(1)
  await world.retryJobs()
  expect(world.mailTo(eve)).toHaveLength(1)
  expect((await countsOf('mails_sent'))[0]).toBe(sent + 1)
})
