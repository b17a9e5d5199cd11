import { afterAll, describe, expect, test } from 'vitest'
import { logIn } from '#contract/auth.ts'
import { type AuditAction, listAuditLog, revokeRole } from '#contract/desk.ts'
import { actOnListings, deskListingMessages } from '#contract/desk-listings.ts'
import {
  actOnMember,
  deskMemberMessages,
  getDeskMember,
  type MemberActionBody,
} from '#contract/desk-members.ts'
import { createListing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import {
  caseMessages,
  listReportCases,
  type Resolution,
  resolveReportCase,
  takeReportCase,
  undoAction,
} from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { appealSuspension, getSuspension, listAppeals } from '#contract/suspensions.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

async function moderatorNamed(name: string): Promise<Actor> {
  const [member] = await world.uniqueMembers(name)
  await admin(world, 'grant', member.username, 'moderator')
  return member
}

async function reportedListing(owner: Actor) {
  const [reporter] = await world.uniqueMembers('reporter')
  const listing = await owner.call(createListing, { body: { title: 'Not kale', price: 9 } })
  await reporter.call(report, { body: { listing_id: listing.id, reason: 'No plant' } })
  return { listing: listing.id, reporter }
}
const casesFor = (reader: Actor) => reader.call(listReportCases, { query: {} })
const newestCase = async () => (await casesFor(olga))[0]?.id ?? 0
const take = (by: Actor, id: number) => by.try(takeReportCase, { params: { id } })
const resolve = (by: Actor, id: number, resolution: Pick<Resolution, 'outcome' | 'days'>) =>
  by.try(resolveReportCase, { params: { id }, body: { rule: 'spam', reason: 'Advertising', ...resolution } })
const act = (by: Actor, { id }: Actor, body: MemberActionBody) =>
  by.try(actOnMember, { params: { id }, body: { rule: 'spam', reason: 'Advertising', ...body } })
const toldTo = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).map(({ notice }) => notice?.kind)
async function undoNewest(by: Actor, action: AuditAction, { id }: Actor) {
  const [entry] = await olga.call(listAuditLog, { query: { action, target_id: id } })
  return by.try(undoAction, { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } })
}
const refused = (detail: string) => ({ status: 409, body: { detail } })

describe('a report that a moderator has taken', () => {
  const leave = {
    'loses the role': (who: Actor) => olga.call(revokeRole, { params: { id: who.id }, body: {} }),
    'is suspended': (who: Actor) => act(olga, who, { action: 'suspend' }),
  }
  test.each(Object.entries(leave))('is free for others when the moderator %s', async (_, leaves) => {
    const [ann] = await world.uniqueMembers('ann')
    const mona = await moderatorNamed('mona')
    await reportedListing(ann)
    const id = await newestCase()
    await take(mona, id)
    expect(await take(maud, id)).toMatchObject(refused(caseMessages.taken))
    await leaves(mona)
    expect((await casesFor(maud))[0]).toMatchObject({ id, taken_by: null })
    expect(await take(maud, id)).toMatchObject({ status: 200, body: { taken_by: { username: 'maud' } } })
    expect((await resolve(maud, id, { outcome: 'dismiss' })).status).toBe(200)
  })
})

describe('a moderator', () => {
  test('neither sees nor decides reports about themselves', async () => {
    const mona = await moderatorNamed('mona')
    const { reporter } = await reportedListing(mona)
    const id = await newestCase()
    const reportsBy = async (reader: Actor) =>
      (await reader.call(getDeskMember, { params: { id: reporter.id } })).own_reports
    expect(await reportsBy(maud)).toMatchObject([{ reason: 'No plant' }])
    expect(await reportsBy(mona)).toEqual([])
    expect((await casesFor(maud))[0]?.id).toBe(id)
    expect((await casesFor(mona)).map((one) => one.id)).not.toContain(id)
    for (const reply of [await take(mona, id), await resolve(mona, id, { outcome: 'dismiss' })])
      expect(reply).toMatchObject({ status: 404, body: { detail: caseMessages.notFound } })
    expect((await resolve(maud, id, { outcome: 'dismiss' })).status).toBe(200)
  })

  test('acts neither on others with a role nor on themselves, also not by an undo', async () => {
    const mona = await moderatorNamed('mona')
    await act(olga, mona, { action: 'pause', days: 3 })
    for (const [by, detail] of [
      [mona, deskMemberMessages.self],
      [maud, deskMemberMessages.hasRole],
    ] as const) {
      expect(await act(by, mona, { action: 'unpause' })).toMatchObject(refused(detail))
      expect(await act(by, mona, { action: 'warn' })).toMatchObject(refused(detail))
      expect(await act(by, mona, { action: 'keep_suspension' })).toMatchObject(refused(detail))
      expect(await undoNewest(by, 'member_paused', mona)).toMatchObject(refused(detail))
    }
    await act(olga, mona, { action: 'suspend' })
    for (const action of ['restore', 'withdraw', 'keep_suspension'] as const)
      expect(await act(maud, mona, { action })).toMatchObject(refused(deskMemberMessages.hasRole))
    expect(await undoNewest(maud, 'member_suspended', mona)).toMatchObject(
      refused(deskMemberMessages.hasRole),
    )
    expect((await undoNewest(olga, 'member_suspended', mona)).status).toBe(204)
  })
})

test('an operator sees and decides reports about themselves, because a site may have only one', async () => {
  await reportedListing(olga)
  const id = await newestCase()
  expect((await resolve(olga, id, { outcome: 'dismiss' })).status).toBe(200)
})

describe('what another moderator has done already is refused, and tells nobody again', () => {
  test('a listing is hidden', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const { listing } = await reportedListing(ann)
    await maud.call(actOnListings, {
      body: { ids: [listing], action: 'hide', rule: 'spam', reason: 'Advertising' },
    })
    const id = await newestCase()
    expect(await resolve(olga, id, { outcome: 'hide' })).toMatchObject(
      refused(deskListingMessages.doneAlready),
    )
    expect(await admin(world, 'hide', String(listing))).toMatchObject({ code: 1 })
    expect(await toldTo(ann)).toEqual(['listing_hidden'])
    expect((await resolve(olga, id, { outcome: 'dismiss' })).status).toBe(200)
  })

  test('a member is suspended, whose suspension keeps its end and its appeal', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await reportedListing(ann)
    const id = await newestCase()
    await act(maud, ann, { action: 'suspend', days: null })
    const login = { username: ann.email, password: ann.password }
    await world.guest().call(appealSuspension, { body: { ...login, text: 'It is kale' } })
    const before = await world.guest().call(getSuspension, { body: login })
    expect(await resolve(olga, id, { outcome: 'suspend', days: 1 })).toMatchObject(
      refused(deskMemberMessages.suspended),
    )
    expect(await admin(world, 'suspend', ann.username)).toMatchObject({ code: 1 })
    expect(await world.guest().call(getSuspension, { body: login })).toEqual(before)
    expect((await olga.call(listAppeals)).map((appeal) => appeal.id)).toContain(ann.id)
    expect((await undoNewest(olga, 'member_suspended', ann)).status).toBe(204)
    ann.token = (await world.guest().call(logIn, { body: login })).access_token
    expect(await toldTo(ann)).toEqual(['restored', 'suspended'])
  })
})
