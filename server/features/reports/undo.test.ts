import { afterAll, describe, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { categories } from '#contract/constants.ts'
import { type AuditAction, listAuditLog } from '#contract/desk.ts'
import { actOnListings, type ListingActionBody } from '#contract/desk-listings.ts'
import {
  actOnMember,
  deskMemberMessages,
  getDeskMember,
  type MemberActionBody,
} from '#contract/desk-members.ts'
import { createListing, getListing } from '#contract/listings.ts'
import { listNotifications } from '#contract/notifications.ts'
import { deleteProfile } from '#contract/profile.ts'
import { caseMessages, undoAction } from '#contract/report-cases.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { endSuspensions } from '#server/features/reports/job-kinds.ts'
import type { Db } from '#server/tables.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

const actOnListing = (
  id: number,
  body: Omit<Partial<ListingActionBody>, 'ids'> & Pick<ListingActionBody, 'action'>,
) => maud.call(actOnListings, { body: { ids: [id], rule: 'forbidden', reason: 'Only plants', ...body } })
const act = ({ id }: Actor, body: MemberActionBody) =>
  maud.call(actOnMember, { params: { id }, body: { rule: 'spam', reason: 'Advertising', ...body } })

/** Returns the newest entry of an action on a listing or a member. */
async function entryOf(action: AuditAction, { id }: { id: number }) {
  const [entry] = await maud.call(listAuditLog, { query: { action, target_id: id } })
  if (!entry) throw new Error(`No entry: ${action}`)
  return entry.id
}
const undoEntry = (by: Actor, id: number) =>
  by.try(undoAction, { params: { id }, body: { reason: 'A mistake' } })
const undoNewest = async (action: AuditAction, target: { id: number }) =>
  undoEntry(olga, await entryOf(action, target))
const refused = (detail: string) => ({ status: 409, body: { detail } })
const kindsOf = async (member: Actor) =>
  (await member.call(listNotifications, { query: {} })).map(({ notice }) => notice?.kind)

/** Gives an actor whose sessions have ended a new one. */
async function logInAgain(member: Actor) {
  const body = { username: member.email, password: member.password }
  member.token = (await world.guest().call(logIn, { body })).access_token
}
const suspensionOf = async ({ id }: Actor) => (await maud.call(getDeskMember, { params: { id } })).suspension

describe('undoing that a listing is shown', () => {
  test('hides it again and tells the owner', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const listing = await ann.call(createListing, { body: { title: 'Pot', price: 2 } })
    await actOnListing(listing.id, { action: 'hide' })
    await actOnListing(listing.id, { action: 'show' })
    expect((await undoNewest('listing_shown', listing)).status).toBe(204)
    expect((await bob.try(getListing, { params: { id: listing.id } })).status).toBe(404)
    expect(await kindsOf(ann)).toEqual(['listing_hidden', 'listing_shown', 'listing_hidden'])
    expect((await undoNewest('listing_hidden', listing)).status).toBe(204)
    expect((await bob.try(getListing, { params: { id: listing.id } })).status).toBe(200)
  })

  test('is refused if the listing was hidden since, and tells nobody', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const listing = await ann.call(createListing, { body: { title: 'Pot', price: 2 } })
    await actOnListing(listing.id, { action: 'hide' })
    await actOnListing(listing.id, { action: 'show' })
    await actOnListing(listing.id, { action: 'hide' })
    const shown = await undoNewest('listing_shown', listing)
    expect(shown).toMatchObject(refused(caseMessages.changedSince))
    expect(await kindsOf(ann)).toHaveLength(3)
  })
})

test('undoing a correction is refused after another one', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const listing = await ann.call(createListing, { body: { title: 'Pot', price: 2, category_id: null } })
  await actOnListing(listing.id, { action: 'categorize', category_id: categories.seeds })
  const first = await entryOf('listing_categorized', listing)
  await actOnListing(listing.id, { action: 'categorize', category_id: categories.plants })
  expect(await undoEntry(olga, first)).toMatchObject(refused(caseMessages.changedSince))
  expect((await ann.call(getListing, { params: { id: listing.id } })).category_id).toBe(categories.plants)
})

describe('undoing the end of a suspension', () => {
  test('suspends until the old end, for the old rule and reason', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend', days: 3 })
    const before = await suspensionOf(ann)
    await act(ann, { action: 'restore' })
    await logInAgain(ann)
    expect((await undoNewest('member_restored', ann)).status).toBe(204)
    expect((await ann.try(getProfile)).status).toBe(401)
    expect(await suspensionOf(ann)).toEqual(before)
    expect(before).toMatchObject({ rule: 'spam', reason: 'Advertising', ends_at: expect.any(String) })
  })

  test.each(['by the desk', 'by a command of the shell'])(
    'without an end suspends without one: %s',
    async (by) => {
      const [ann] = await world.uniqueMembers('ann')
      if (by === 'by the desk') await act(ann, { action: 'suspend', days: null })
      else await admin(world, 'suspend', ann.username)
      const before = await suspensionOf(ann)
      await act(ann, { action: 'restore' })
      expect((await undoNewest('member_restored', ann)).status).toBe(204)
      expect(await suspensionOf(ann)).toEqual(before)
      const { suspended_at } = await maud.call(getDeskMember, { params: { id: ann.id } })
      expect(suspended_at).not.toBeNull()
    },
  )

  test('is refused when the old end is over', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend', days: 3 })
    await world.db
      .updateTable('suspensions')
      .set({ ends_at: new Date().toISOString() })
      .where('user_id', '=', ann.id)
      .execute()
    await world.runJob(endSuspensions)
    expect(await undoNewest('member_restored', ann)).toMatchObject(refused(caseMessages.suspensionOver))
    await logInAgain(ann)
    expect(await kindsOf(ann)).toEqual(['restored', 'suspended'])
  })
})

describe('undoing a suspension', () => {
  test('that was lifted is refused, and the member is told once', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend' })
    await act(ann, { action: 'restore' })
    expect(await undoNewest('member_suspended', ann)).toMatchObject(refused(caseMessages.changedSince))
    await logInAgain(ann)
    expect(await kindsOf(ann)).toEqual(['restored', 'suspended'])
  })

  test('leaves a later one', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend' })
    const first = await entryOf('member_suspended', ann)
    await act(ann, { action: 'restore' })
    await act(ann, { action: 'suspend', reason: 'Again' })
    expect(await undoEntry(olga, first)).toMatchObject(refused(caseMessages.changedSince))
    expect(await suspensionOf(ann)).toMatchObject({ reason: 'Again' })
  })

  test('of a member who has left is refused', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend' })
    await act(ann, { action: 'restore' })
    const [restored, suspended] = [
      await entryOf('member_restored', ann),
      await entryOf('member_suspended', ann),
    ]
    await logInAgain(ann)
    await ann.call(deleteProfile, { body: { password: ann.password } })
    for (const id of [restored, suspended])
      expect(await undoEntry(maud, id)).toMatchObject(refused(caseMessages.memberGone))
  })
})

test.each(['member_suspended', 'member_restored'] as const)(
  'of two moderators who undo at the same time one reads that it is undone: %s',
  async (action) => {
    const [ann] = await world.uniqueMembers('ann')
    await act(ann, { action: 'suspend' })
    if (action === 'member_restored') await act(ann, { action: 'restore' })
    const id = await entryOf(action, ann)
    const replies = await Promise.all([maud, olga].map((by) => undoEntry(by, id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
    const loser = replies.find(({ status }) => status === 409)
    expect(loser).toMatchObject(refused(caseMessages.alreadyUndone))
  },
)

test('a suspension that a moderator has lifted, or made longer at the moment of its end, does not end by itself', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const setEnd = (db: Db, { id }: Actor, ends_at: string) =>
    db.updateTable('suspensions').set({ ends_at }).where('user_id', '=', id).execute()
  for (const member of [ann, bob]) {
    await act(member, { action: 'suspend', days: 3 })
    await setEnd(world.db, member, new Date().toISOString())
  }
  await act(bob, { action: 'restore' })
  const job = await world.db.transaction().execute(async (tx) => {
    await lockMembers(tx, [ann.id])
    const running = world.runJob(endSuspensions)
    await expect.poll(() => world.waitingForLocks()).toBe(1)
    await setEnd(tx, ann, new Date(Date.now() + 60_000).toISOString())
    return { running }
  })
  await job.running
  expect(await suspensionOf(ann)).toMatchObject({ rule: 'spam' })
  await logInAgain(bob)
  expect(await kindsOf(bob)).toEqual(['restored', 'suspended'])
  const output = `${deskMemberMessages.notSuspended}\n`
  expect(await admin(world, 'restore', bob.username)).toEqual({ code: 1, output })
})
