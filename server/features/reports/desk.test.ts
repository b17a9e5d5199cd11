import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { logIn } from '#contract/auth.ts'
import { listAuditLog } from '#contract/desk.ts'
import { actOnMember, deskMemberMessages, getDeskMember } from '#contract/desk-members.ts'
import { createListing, deleteListing, getListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { updateProfile } from '#contract/profile.ts'
import {
  caseMessages,
  listReportCases,
  releaseReportCase,
  resolveReportCase,
  takeReportCase,
  undoAction,
} from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { appealSuspension, getSuspension, listAppeals } from '#contract/suspensions.ts'
import { sweepImages } from '#server/features/images/jobs.ts'
import { endSuspensions, forgetSnapshots } from '#server/features/reports/job-kinds.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')
for (const moderator of [maud, olga]) await world.confirm(moderator)

/** Deletes the files of photos that are not kept, as if they were stored days ago. */
async function sweepOld() {
  await world.jobsDone()
  const images = join(world.dataDir, 'images')
  const old = new Date('2026-01-01')
  for (const file of await readdir(images, { recursive: true }))
    if (file.endsWith('.webp')) await utimes(join(images, file), old, old)
  await world.runJob(sweepImages)
  await world.jobsDone()
}

/** Returns the newest open case. */
async function newestCase() {
  const [newest] = await maud.call(listReportCases, { query: {} })
  if (!newest) throw new Error('No case is open')
  return newest
}

async function reportListing(reporter: Actor, owner: Actor, file?: Blob) {
  const listing = await owner.call(createListing, { body: { title: 'Not kale', price: 9 }, file })
  await reporter.call(report, { body: { listing_id: listing.id, reason: 'No plant' } })
  return listing
}

const resolution = { rule: 'forbidden', reason: 'Only plants' } as const

test('a report keeps the text and the photos of a listing that its owner deletes', async () => {
  const [ann, bob, cat] = await world.uniqueMembers('ann', 'bob', 'cat')
  const { id } = await reportListing(ann, bob, await photo())
  await cat.call(report, { body: { listing_id: id, reason: 'I think so too' } })
  await bob.call(deleteListing, { params: { id } })
  await world.jobsDone()

  const opened = await newestCase()
  expect(opened).toMatchObject({
    subject_type: 'listing',
    subject_id: id,
    member: { username: bob.username },
    report_count: 2,
    reports: [{ reason: 'I think so too' }, { reason: 'No plant', snapshot: { title: 'Not kale' } }],
  })
  const [src = ''] = opened.reports[0]?.snapshot?.photos ?? []
  expect((await maud.send('GET', src)).status).toBe(200)
  expect((await ann.send('GET', src)).status).toBe(404)
})

test('the text and the photos of a report are deleted 180 days after it was closed', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const listing = await reportListing(ann, bob, await photo())
  await bob.call(deleteListing, { params: { id: listing.id } })
  const { id, reports } = await newestCase()
  const [src = ''] = reports[0]?.snapshot?.photos ?? []
  const found = async () => {
    await world.runJob(forgetSnapshots)
    await sweepOld()
    const closed = await maud.call(listReportCases, { query: { state: 'closed' } })
    const [shown] = closed.find((one) => one.id === id)?.reports ?? []
    return [shown?.snapshot?.title, (await maud.send('GET', src)).status]
  }
  await maud.call(resolveReportCase, { params: { id }, body: { ...resolution, outcome: 'dismiss' } })
  const setAge = (age: string) =>
    sql`update report_cases set closed_at = now() - ${age}::interval where id = ${id}`.execute(world.db)
  await setAge('179 days')
  expect(await found()).toEqual(['Not kale', 200])
  await setAge('181 days')
  expect(await found()).toEqual([undefined, 404])
})

test('a report of a message keeps the messages around it', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Before' } })
  const { id } = await bob.call(sendMessage, { body: { receiver_id: ann.id, content: 'Rude' } })
  await ann.call(sendMessage, { body: { receiver_id: bob.id, content: 'After' } })
  await ann.call(report, { body: { message_id: id, reason: 'Rude' } })
  const { reports } = await newestCase()
  expect(reports[0]?.snapshot?.messages.map(({ content }) => content)).toEqual(['Before', 'Rude', 'After'])
})

test('a report that one moderator has taken is refused to another until it is released', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await reportListing(ann, bob)
  const { id } = await newestCase()
  await maud.call(takeReportCase, { params: { id } })
  expect((await olga.call(listReportCases, { query: {} }))[0]).toMatchObject({
    taken_by: { username: 'maud' },
  })
  const dismissal = { params: { id }, body: { ...resolution, outcome: 'dismiss' as const } }
  for (const refused of [
    await olga.try(takeReportCase, { params: { id } }),
    await olga.try(resolveReportCase, dismissal),
  ])
    expect(refused).toMatchObject({ status: 409, body: { detail: caseMessages.taken } })
  await maud.call(releaseReportCase, { params: { id } })
  await olga.call(resolveReportCase, dismissal)
  expect(await maud.try(takeReportCase, { params: { id } })).toMatchObject({
    status: 409,
    body: { detail: caseMessages.closed },
  })
})

test.each([
  ['hide', 'listing_hidden', 200],
  ['remove', 'listing_removed', 404],
] as const)('the owner of a listing is told in the app and by mail: %s', async (outcome, kind, status) => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  const { id } = await reportListing(ann, bob)
  await maud.call(resolveReportCase, {
    params: { id: (await newestCase()).id },
    body: { ...resolution, outcome, answer: 'Thank you, Ann' },
  })
  await world.jobsDone()
  expect((await bob.try(getListing, { params: { id } })).status).toBe(status)
  expect((await ann.try(getListing, { params: { id } })).status).toBe(404)
  const told = {
    kind,
    listings: [{ title: 'Not kale', category: null }],
    rule: 'forbidden',
    text: 'Only plants',
  }
  expect(await bob.call(listNotifications, { query: {} })).toMatchObject([{ kind: 'notice', notice: told }])
  expect(await ann.call(listNotifications, { query: {} })).toMatchObject([
    { notice: { kind: 'report_answered', text: 'Thank you, Ann' } },
  ])
  const [mail] = world.mailTo(bob).filter(({ subject }) => subject?.includes('Not kale'))
  expect(mail?.text).toContain('Offer only what grows in a garden')
  expect(mail?.text).toContain('write to hello@rhubarb.example')
})

test('a hidden listing is shown again by undoing it, once', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const { id } = await reportListing(ann, bob)
  await maud.call(resolveReportCase, {
    params: { id: (await newestCase()).id },
    body: { ...resolution, outcome: 'hide' },
  })
  const [entry] = await olga.call(listAuditLog, { query: { action: 'listing_hidden' } })
  const undo = { params: { id: entry?.id ?? 0 }, body: { reason: 'It is kale' } }
  const replies = await Promise.all([olga.try(undoAction, undo), maud.try(undoAction, undo)])
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
  expect((await ann.try(getListing, { params: { id } })).status).toBe(200)
})

test('a suspended member sees why and how long, appeals once, and the suspension ends by itself', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await world.confirm(bob)
  await reportListing(ann, bob)
  await maud.call(resolveReportCase, {
    params: { id: (await newestCase()).id },
    body: { ...resolution, outcome: 'suspend', days: 2 },
  })
  await world.jobsDone()
  const mail = world.mailTo(bob).at(-1)
  expect(mail).toMatchObject({
    subject: 'Your membership is suspended',
    text: expect.stringContaining('Only plants'),
  })
  // Mails of phishers say that an account is suspended, so SpamAssassin counts the words.
  expect(mail?.text).not.toMatch(/\baccount .{0,20}suspen/i)
  const login = { username: bob.email, password: bob.password }
  const guest = world.guest()
  expect((await guest.try(logIn, { body: login })).status).toBe(403)
  const shown = await guest.call(getSuspension, { body: login })
  expect(shown).toMatchObject({ rule: 'forbidden', reason: 'Only plants', may_appeal: true })
  expect(Date.parse(shown.ends_at ?? '')).toBeGreaterThan(Date.now() + 47 * 60 * 60 * 1000)
  const appeal = { body: { ...login, text: 'It was kale' } }
  expect((await guest.try(appealSuspension, appeal)).status).toBe(200)
  expect((await guest.try(appealSuspension, appeal)).status).toBe(409)
  expect(await maud.call(listAppeals)).toMatchObject([{ username: bob.username, appeal: 'It was kale' }])
  await world.jobsDone()
  for (const moderator of [maud, olga]) {
    const told = await moderator.call(listNotifications, { query: {} })
    expect(told.filter(({ notice }) => notice?.kind === 'appealed')).toHaveLength(1)
    const mails = world.mailTo(moderator).filter(({ subject }) => subject?.includes('has answered'))
    expect(mails).toMatchObject([{ text: expect.stringContaining('/desk') }])
  }

  await world.runJob(endSuspensions)
  expect((await guest.try(logIn, { body: login })).status).toBe(403)
  await world.db
    .updateTable('suspensions')
    .set({ ends_at: new Date().toISOString() })
    .where('user_id', '=', bob.id)
    .execute()
  await world.runJob(endSuspensions)
  expect((await guest.try(logIn, { body: login })).status).toBe(200)
})

test('a member whom the shell has suspended can appeal', async () => {
  const [bob] = await world.uniqueMembers('bob')
  await admin(world, 'suspend', bob.username)
  const login = { username: bob.email, password: bob.password }
  expect(await world.guest().call(getSuspension, { body: login })).toEqual({
    rule: 'other',
    reason: '',
    ends_at: null,
    may_appeal: true,
    appeal_answer: null,
  })
  await world.guest().call(appealSuspension, { body: { ...login, text: 'I do not know why' } })
  expect(await maud.call(listAppeals)).toMatchObject([{ id: bob.id, appeal: 'I do not know why' }])
  await admin(world, 'restore', bob.username)
})

test('suspensions end by themselves also beside one whose member an older release has restored', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await admin(world, 'suspend', bob.username)
  await world.db.deleteFrom('suspensions').execute()
  const spam = { rule: 'spam', reason: 'Spam' } as const
  await world.db
    .insertInto('suspensions')
    .values([
      { ...spam, user_id: ann.id, ends_at: '2026-01-01T00:00:00Z' },
      { ...spam, user_id: bob.id, ends_at: '2026-01-02T00:00:00Z' },
    ])
    .execute()
  await world.runJob(endSuspensions)
  const login = { username: bob.email, password: bob.password }
  expect((await world.guest().try(logIn, { body: login })).status).toBe(200)
  expect(await world.db.selectFrom('suspensions').select('user_id').execute()).toEqual([])
})

describe('a moderator who keeps a suspension', () => {
  const actOn = (
    by: Actor,
    { id }: Actor,
    action: 'suspend' | 'restore' | 'keep_suspension',
    reason: string,
  ) => by.try(actOnMember, { params: { id }, body: { action, rule: 'forbidden', reason } })
  const loginOf = ({ email: username, password }: Actor) => ({ username, password })
  const shownTo = (member: Actor) => world.guest().call(getSuspension, { body: loginOf(member) })
  const waiting = async () => (await maud.call(listAppeals)).map(({ id }) => id)
  const noAppeal = { status: 409, body: { detail: deskMemberMessages.noAppeal } }

  async function suspendedMember(language: 'en' | 'de' = 'en') {
    const [bob] = await world.uniqueMembers('bob')
    await world.confirm(bob)
    await bob.call(updateProfile, { body: { language } })
    await actOn(maud, bob, 'suspend', 'Only plants')
    return bob
  }
  async function appealed(language?: 'en' | 'de') {
    const bob = await suspendedMember(language)
    await world.guest().call(appealSuspension, { body: { ...loginOf(bob), text: 'It was kale' } })
    return bob
  }

  test('closes the appeal and records the answer', async () => {
    const bob = await appealed()
    expect(await waiting()).toContain(bob.id)
    const reply = await actOn(maud, bob, 'keep_suspension', 'Kale has roots')
    expect(reply).toMatchObject({
      status: 200,
      body: { suspension: { appeal: 'It was kale', appeal_answer: 'Kale has roots' } },
    })
    expect(await waiting()).not.toContain(bob.id)
    const query = { action: 'suspension_kept', target_id: bob.id } as const
    expect(await olga.call(listAuditLog, { query })).toMatchObject([
      { actor: { username: 'maud' }, target_name: bob.username, reason: 'Kale has roots' },
    ])
  })

  test('answers the member at the login, who cannot appeal again', async () => {
    const bob = await appealed()
    expect(await shownTo(bob)).toMatchObject({ may_appeal: false, appeal_answer: null })
    await actOn(maud, bob, 'keep_suspension', 'Kale has roots')
    expect(await shownTo(bob)).toMatchObject({
      reason: 'Only plants',
      may_appeal: false,
      appeal_answer: 'Kale has roots',
    })
    const again = { body: { ...loginOf(bob), text: 'Still kale' } }
    expect((await world.guest().try(appealSuspension, again)).status).toBe(409)
  })

  test('answers the member by mail in their language', async () => {
    const bob = await appealed('de')
    await actOn(maud, bob, 'keep_suspension', 'Kale has roots')
    await world.jobsDone()
    const mail = world.mailTo(bob).at(-1)
    expect(mail?.subject).toBe('Dein Konto bleibt gesperrt')
    expect(mail?.text).toContain('Kale has roots')
    expect(mail?.text).toContain('Du kannst auch an hello@rhubarb.example schreiben.')
    expect(mail?.text).toContain('/login')
  })

  test('must write an answer', async () => {
    const bob = await appealed()
    expect(await actOn(maud, bob, 'keep_suspension', ' ')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'reason', message: 'Please say why' }] },
    })
    expect(await waiting()).toContain(bob.id)
  })

  test('is refused if another was faster', async () => {
    const bob = await appealed()
    const replies = await Promise.all(
      [maud, olga].map((by) => actOn(by, bob, 'keep_suspension', `Kept by ${by.username}`)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)).toMatchObject(noAppeal)
    await world.jobsDone()
    expect(world.mailTo(bob).filter(({ text }) => text?.includes('Kept by'))).toHaveLength(1)
  })

  test('is refused without an appeal and without a suspension', async () => {
    const bob = await suspendedMember()
    expect(await actOn(maud, bob, 'keep_suspension', 'No')).toMatchObject(noAppeal)
    await actOn(maud, bob, 'restore', 'A mistake')
    expect(await actOn(maud, bob, 'keep_suspension', 'No')).toMatchObject({
      status: 409,
      body: { detail: deskMemberMessages.notSuspended },
    })
  })

  test('can still end it, and a new suspension can be appealed', async () => {
    const bob = await appealed()
    await actOn(maud, bob, 'keep_suspension', 'Kale has roots')
    expect((await actOn(olga, bob, 'restore', 'Long enough')).status).toBe(200)
    await actOn(maud, bob, 'suspend', 'Again')
    expect(await shownTo(bob)).toMatchObject({ may_appeal: true, appeal_answer: null })
    const { suspension } = await maud.call(getDeskMember, { params: { id: bob.id } })
    expect(suspension).toMatchObject({ appeal: null, appeal_answer: null })
  })
})
