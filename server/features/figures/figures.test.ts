import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { logIn } from '#contract/auth.ts'
import { categories, confirmationDays, types } from '#contract/constants.ts'
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
      ('single', 'declined', ${cat.id}, now() - interval '24 hours', now()),
      ('single', 'withdrawn', ${cat.id}, now(), now()),
      ('single', 'lapsed', ${cat.id}, now(), now()),
      ('single', 'lapsed', ${cat.id}, now(), now())`.execute(world.db)
  await sql`update report_cases set created_at = created_at - interval '5 hours' where closed_at is not null`.execute(
    world.db,
  )
  await world.runJob(countFigures)
  const after = await today()
  const kinds = [
    'trades_begun',
    'trades_done',
    'trades_declined',
    'trades_withdrawn',
    'trades_lapsed',
    'handover_hours',
    'resolution_hours',
  ]
  expect(kinds.map((kind) => (after[kind] ?? 0) - (before[kind] ?? 0))).toEqual([3, 1, 1, 1, 2, 48, 5])
})

test('a member is active who logs in, writes, posts, wants or asks for something', async () => {
  const [writer, poster, wanter, asker, reader] = await world.members(
    'writer',
    'poster',
    'wanter',
    'asker',
    'reader',
  )
  // All logged in some days ago.
  const day = 24 * 60 * 60
  const moveLogins = (by: number) =>
    sql`update sessions set expires_at = expires_at + make_interval(secs => ${by})`.execute(world.db)
  await moveLogins(-3 * day)
  const active = async () => {
    await world.runJob(countFigures)
    return (await today()).active_members ?? 0
  }
  const before = await active()
  const steps = [
    () => writer.call(sendMessage, { body: { receiver_id: reader.id, content: 'Hello' } }),
    () => poster.call(createListing, { body: { title: 'Leek', type_id: types.giveaway } }),
    () => wanter.call(createWant, { body: { title: 'leek' } }),
    () =>
      sql`insert into trades (kind, state, requester_id) values ('single', 'withdrawn', ${asker.id})`.execute(
        world.db,
      ),
    () => reader.call(logIn, { body: { username: reader.email, password: reader.password } }),
  ]
  for (const [index, step] of steps.entries()) {
    await step()
    expect(await active()).toBe(before + index + 1)
  }
  await moveLogins(3 * day)
})

test('a message to somebody whom the sender has written to before is no first contact, and each day has its own matches', async () => {
  const [fay, gus] = await world.members('fay', 'gus')
  await world.runJob(countFigures)
  const before = await today()
  await fay.call(sendMessage, { body: { receiver_id: gus.id, content: 'Hello' } })
  await sql`update /* test */ messages set created_at = created_at - interval '1 day' where sender_id = ${fay.id}`.execute(
    world.db,
  )
  await sql`update matches set created_at = created_at - interval '1 day'`.execute(world.db)
  await gus.call(sendMessage, { body: { receiver_id: fay.id, content: 'Hello' } })
  await world.runJob(countFigures)
  const after = await today()
  expect([after.messages, after.first_contacts]).toEqual([(before.messages ?? 0) + 1, before.first_contacts])
  expect((await countsOf('first_contacts')).slice(0, 3)).toEqual([before.first_contacts, 1, 0])
  expect((await countsOf('matches')).slice(0, 3)).toEqual([0, before.matches, 0])
})

test('a report is open on each day until it is closed', async () => {
  await sql`update report_cases set created_at = now() - interval '3 days'`.execute(world.db)
  await sql`delete from daily_figures where kind like 'reports%'`.execute(world.db)
  await world.runJob(countFigures)
  // One of the two was closed today.
  expect((await countsOf('reports_open')).slice(0, 5)).toEqual([1, 2, 2, 2, 0])
  expect((await countsOf('reports_opened')).slice(0, 5)).toEqual([0, 0, 0, 2, 0])
})

test('a confirmation is counted on the day of the registration as long as its link is valid', async () => {
  const [hal] = await world.members('hal')
  await sql`update users set created_at = now() - make_interval(days => ${confirmationDays}) where id = ${hal.id}`.execute(
    world.db,
  )
  await world.runJob(countFigures)
  expect((await countsOf('registrations_confirmed'))[confirmationDays]).toBe(0)
  await world.confirm(hal)
  await world.runJob(countFigures)
  expect((await countsOf('registrations_confirmed'))[confirmationDays]).toBe(1)
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
