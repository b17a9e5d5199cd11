import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { listAuditLog } from '#contract/desk.ts'
import {
  actOnMember,
  deleteDeskMember,
  deskMemberMessages,
  getDeskMember,
  type MemberActionBody,
  searchDeskMembers,
} from '#contract/desk-members.ts'
import { uploadImage } from '#contract/images.ts'
import { createListing } from '#contract/listings.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreadMembers,
  listThreads,
  listWithdrawnSenders,
  markThreadRead,
  sendMessage,
} from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { deleteProfile, exportProfile, updateProfile } from '#contract/profile.ts'
import { undoAction } from '#contract/report-cases.ts'
import { report } from '#contract/reports.ts'
import { sendDeletionMail } from '#server/features/reports/job-kinds.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { photo } from '#test/pictures.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

const act = (by: Actor, { id }: Actor, body: MemberActionBody) =>
  by.try(actOnMember, { params: { id }, body: { rule: 'spam', reason: 'Advertising', ...body } })
const detailsOf = ({ id }: Actor) => olga.call(getDeskMember, { params: { id } })

describe('the members of the desk', () => {
  test('are found by name, username and e-mail, new ones first', async () => {
    const first = await world.member({ username: 'sorrel_1', first_name: 'Rumex', last_name: 'Acetosa' })
    const second = await world.member({ username: 'sorrel_2', first_name: 'Rumex', last_name: 'Scutatus' })
    const found = async (q: string) =>
      (await maud.call(searchDeskMembers, { query: { q } })).map(({ username }) => username)
    expect(await found('RUMEX')).toEqual([second.username, first.username])
    expect(await found('acetosa sorrel')).toEqual([first.username])
    expect(await found(second.email)).toEqual([second.username])
    expect(await found('sorrel%')).toEqual([])
    const [newest] = await maud.call(searchDeskMembers, { query: { limit: 1 } })
    expect(newest).toMatchObject({ username: second.username, email: second.email, email_confirmed: false })
  })

  test('have listings, reports about and by them, sessions, notes and warnings', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    const { id: listing_id } = await ann.call(createListing, { body: { title: 'Kale', price: 2 } })
    await bob.call(report, { body: { listing_id, reason: 'No plant' } })
    await ann.call(report, { body: { user_id: bob.id, reason: 'He reports me' } })
    await act(maud, ann, { action: 'note', reason: 'Wrote to her' })
    await act(maud, ann, { action: 'warn', reason: 'Only plants' })

    expect(await detailsOf(ann)).toMatchObject({
      username: ann.username,
      session_count: 1,
      suspended_at: null,
      listings: [{ title: 'Kale', is_hidden: false }],
      cases: [{ subject_type: 'listing', outcome: null }],
      own_reports: [{ reason: 'He reports me' }],
      log: [
        { action: 'member_warned', reason: 'Only plants', actor: { username: 'maud' } },
        { action: 'member_noted', reason: 'Wrote to her' },
      ],
    })
    const told = await ann.call(listNotifications, { query: {} })
    expect(told.map(({ notice }) => notice)).toEqual([
      { kind: 'warned', listings: [], rule: 'spam', text: 'Only plants', ends_at: null },
    ])
  })

  test('are suspended once by two moderators at the same time, and let in again', async () => {
    const [ann] = await world.uniqueMembers('ann')
    const replies = await Promise.all([maud, olga].map((by) => act(by, ann, { action: 'suspend', days: 3 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      detail: deskMemberMessages.suspended,
    })
    expect((await ann.try(getProfile)).status).toBe(401)
    expect((await detailsOf(ann)).suspension).toMatchObject({ rule: 'spam', reason: 'Advertising' })
    expect((await act(maud, ann, { action: 'restore', reason: 'A mistake' })).status).toBe(200)
    expect((await act(maud, ann, { action: 'restore', reason: 'A mistake' })).status).toBe(409)
    const body = { username: ann.email, password: ann.password }
    expect((await world.guest().try(logIn, { body })).status).toBe(200)
  })

  test('get a password-reset or a confirmation mail, and their sessions end', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await world.jobsDone()
    const before = world.mailTo(ann).length
    expect((await act(maud, ann, { action: 'send_confirmation', reason: '' })).status).toBe(200)
    await world.confirm(ann)
    expect(await act(maud, ann, { action: 'send_confirmation' })).toMatchObject({
      status: 409,
      body: { detail: deskMemberMessages.confirmed },
    })
    expect((await act(maud, ann, { action: 'send_password_reset' })).status).toBe(200)
    await world.jobsDone()
    expect(world.mailTo(ann).length).toBe(before + 2)
    expect((await act(maud, ann, { action: 'end_sessions' })).status).toBe(200)
    expect((await ann.try(getProfile)).status).toBe(401)
    expect((await detailsOf(ann)).log.map(({ action }) => action)).toEqual([
      'sessions_ended',
      'password_reset_sent',
      'confirmation_sent',
    ])
  })

  test('are acted on with a reason only', async () => {
    const [ann] = await world.uniqueMembers('ann')
    expect(await act(maud, ann, { action: 'suspend', reason: ' ' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'reason', message: 'Please say why' }] },
    })
    expect((await detailsOf(ann)).log).toEqual([])
  })

  test('with a role are not suspended by a moderator, nor an operator by anybody, nor oneself', async () => {
    const [max] = await world.uniqueMembers('max')
    await admin(world, 'grant', max.username, 'moderator')
    const suspend = (by: Actor, who: Actor) => act(by, who, { action: 'suspend' })
    for (const refused of [await suspend(maud, max), await suspend(maud, olga), await suspend(maud, maud)])
      expect(refused.status).toBe(409)
    expect((await suspend(olga, max)).status).toBe(200)
  })

  test('are deleted by an operator with the password of an old session', async () => {
    const [ann, opal] = await world.uniqueMembers('ann', 'opal')
    await admin(world, 'grant', opal.username, 'operator')
    await world.db
      .updateTable('sessions')
      .set({ created_at: '2026-01-01T00:00:00Z' })
      .where('user_id', '=', opal.id)
      .execute()
    const call = (body: { reason: string; current_password?: string }) =>
      opal.try(deleteDeskMember, { params: { id: ann.id }, body })
    expect((await call({ reason: 'At her request' })).status).toBe(403)
    expect((await call({ reason: 'At her request', current_password: opal.password })).status).toBe(204)
    expect((await maud.try(getDeskMember, { params: { id: ann.id } })).status).toBe(404)
    expect(await olga.call(listAuditLog, { query: { action: 'member_deleted' } })).toMatchObject([
      { target_id: ann.id, target_name: null, reason: 'At her request', actor: { username: opal.username } },
    ])
  })
})

describe('a member whom an operator deletes', () => {
  const reason = 'You sell <b>plastic</b>'
  const remove = ({ id }: Actor) => olga.try(deleteDeskMember, { params: { id }, body: { reason } })
  async function mailsAfter(deletion: () => Promise<unknown>, { email }: Actor) {
    await world.jobsDone()
    const before = world.mailTo({ email }).length
    await deletion()
    await world.jobsDone()
    return world.mailTo({ email }).slice(before)
  }
  /** The job queue deletes jobs that ended so many seconds ago. */
  const jobsFor = async ({ username }: Actor) => {
    const { rows } = await sql<{ kept: number }>`
      select deletion_seconds as kept from jobs.job
      where name = ${sendDeletionMail.name} and data->>'first_name' = ${username}`.execute(world.db)
    return rows.map(({ kept }) => kept)
  }

  test('is told why by mail in their language, whose job is kept for a day', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await world.confirm(ann)
    await ann.call(updateProfile, { body: { language: 'de' } })
    const [mail, ...others] = await mailsAfter(() => remove(ann), ann)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Dein Konto bei Rhubarb wurde gelöscht')
    expect(mail?.text).toContain('Ehrenamtliche von Rhubarb haben dein Konto')
    expect(mail?.text).toContain(reason)
    expect(mail?.html).toContain('You sell &lt;b&gt;plastic&lt;/b&gt;')
    expect(mail?.text).toContain('schreib an hello@rhubarb.example')
    expect(await jobsFor(ann)).toEqual([24 * 60 * 60])
  })

  test('is told at an unconfirmed address too, unless its owner has disowned the account', async () => {
    const [ann, bob] = await world.uniqueMembers('ann', 'bob')
    expect(await mailsAfter(() => remove(ann), ann)).toHaveLength(1)
    await world.db.updateTable('users').set({ email: null }).where('id', '=', bob.id).execute()
    expect((await remove(bob)).status).toBe(204)
    expect(await jobsFor(bob)).toEqual([])
  })

  test('gets no such mail after leaving by themselves', async () => {
    const [ann] = await world.uniqueMembers('ann')
    await world.confirm(ann)
    const leave = () => ann.call(deleteProfile, { body: { password: ann.password } })
    expect(await mailsAfter(leave, ann)).toEqual([])
  })
})

describe('withdrawn messages of a suspended member', () => {
  const inboxOf = async (member: Actor, { id }: Actor) => {
    const thread = await member.try(listMessages, { params: { id }, query: {} })
    const threads = await member.call(listThreads, { query: {} })
    return {
      unread: await member.call(countUnreadMessages),
      withdrawn: await member.call(listWithdrawnSenders),
      partners: await member.call(listThreadMembers, { query: {} }),
      previews: threads.map(({ last_message }) => last_message.content),
      conversation: thread.status === 200 ? thread.body.map(({ content }) => content) : thread.status,
    }
  }

  const send = (from: Actor, to: Actor, content: string) =>
    from.call(sendMessage, { body: { receiver_id: to.id, content } })

  test('disappear from conversations, lists, counts, mails and exports, and come back by undo', async () => {
    const [sam, ann, bob] = await world.uniqueMembers('sam', 'ann', 'bob')
    for (const member of [ann, bob]) await world.confirm(member)
    await send(bob, sam, 'Is the kale left?')
    await send(sam, bob, 'Buy my pills')
    const picture = await sam.call(uploadImage, { body: {}, file: await photo() })
    const spam = await sam.call(sendMessage, {
      body: { receiver_id: ann.id, content: 'Buy my pills', image_ids: [picture.id] },
    })
    await send(sam, ann, 'Really')
    await ann.call(markThreadRead, { params: { id: sam.id } })
    await send(sam, ann, 'Now')
    const [seenByAnn, seenByBob] = [await inboxOf(ann, sam), await inboxOf(bob, sam)]
    expect(seenByAnn.withdrawn).toEqual([])
    const src = `/api/${spam.images[0]?.src ?? ''}`.replace('/api//api', '/api')
    using anns = await connectSocket(ann)

    expect(await act(maud, sam, { action: 'withdraw' })).toMatchObject({
      status: 409,
      body: { detail: deskMemberMessages.suspendFirst },
    })
    await act(maud, sam, { action: 'suspend' })
    expect((await ann.send('GET', src)).status).toBe(200)
    expect((await act(maud, sam, { action: 'withdraw' })).status).toBe(200)

    expect(await inboxOf(ann, sam)).toEqual({
      unread: 0,
      withdrawn: [sam.id],
      partners: [],
      previews: [],
      conversation: 404,
    })
    expect(await inboxOf(bob, sam)).toEqual({
      unread: 0,
      withdrawn: [sam.id],
      partners: [sam.id],
      previews: ['Is the kale left?'],
      conversation: ['Is the kale left?'],
    })
    expect(JSON.stringify(await ann.call(exportProfile))).not.toContain('Buy my pills')
    expect((await ann.send('GET', src)).status).toBe(404)
    expect((await ann.try(report, { body: { message_id: spam.id, reason: 'Spam' } })).status).toBe(404)
    await expect.poll(() => anns.received('conversation_changed')).toEqual([{ user_id: sam.id }])
    expect((await detailsOf(sam)).is_withdrawn).toBe(true)
    expect((await act(olga, sam, { action: 'withdraw' })).body).toMatchObject({
      detail: deskMemberMessages.nothingSent,
    })

    await act(maud, sam, { action: 'restore' })
    await world.passMinutes(20)
    await world.jobsDone()
    expect(world.mailTo(ann).filter(({ text }) => text?.includes('Now'))).toEqual([])

    const [withdrawn] = await maud.call(listAuditLog, { query: { action: 'messages_withdrawn' } })
    await olga.call(undoAction, { params: { id: withdrawn?.id ?? 0 }, body: { reason: 'No spam' } })
    expect(await inboxOf(ann, sam)).toEqual(seenByAnn)
    expect(await inboxOf(bob, sam)).toEqual(seenByBob)
    expect((await detailsOf(sam)).is_withdrawn).toBe(false)
  })

  test('come back by undo of their own withdrawal, not by that of a later one', async () => {
    const [sam, ann] = await world.uniqueMembers('sam', 'ann')
    for (const content of ['Buy my pills', 'Here is the kale']) {
      const login = { username: sam.email, password: sam.password }
      sam.token = (await world.guest().call(logIn, { body: login })).access_token
      await send(sam, ann, content)
      for (const action of ['suspend', 'withdraw', 'restore'] as const) await act(maud, sam, { action })
    }
    const query = { action: 'messages_withdrawn', target_id: sam.id } as const
    const [second, first] = await maud.call(listAuditLog, { query })
    const undo = (entry = second) =>
      olga.try(undoAction, { params: { id: entry?.id ?? 0 }, body: { reason: 'No spam' } })
    expect((await undo(first)).status).toBe(409)
    expect((await undo(second)).status).toBe(204)
    expect(await inboxOf(ann, sam)).toMatchObject({
      unread: 1,
      withdrawn: [sam.id],
      previews: ['Here is the kale'],
      conversation: ['Here is the kale'],
    })
    expect((await detailsOf(sam)).is_withdrawn).toBe(true)
    expect((await undo(first)).status).toBe(204)
    expect(await inboxOf(ann, sam)).toMatchObject({
      unread: 2,
      withdrawn: [],
      conversation: ['Buy my pills', 'Here is the kale'],
    })
  })

  test('come back while their sender writes again, and the new message stays the last and unread', async () => {
    const [sam, ann] = await world.uniqueMembers('sam', 'ann')
    await send(sam, ann, 'Buy my pills')
    for (const action of ['suspend', 'withdraw', 'restore'] as const) await act(maud, sam, { action })
    const login = { username: sam.email, password: sam.password }
    sam.token = (await world.guest().call(logIn, { body: login })).access_token
    const [withdrawn] = await maud.call(listAuditLog, { query: { action: 'messages_withdrawn' } })
    const undo = { params: { id: withdrawn?.id ?? 0 }, body: { reason: 'No spam' } }

    // Holds the message back when it has locked the conversation, and the undo when it has restored the messages.
    const { replies } = await world.db.transaction().execute(async (tx) => {
      await sql`select from threads where member_id = ${ann.id} and partner_id = ${sam.id} for update`.execute(
        tx,
      )
      const sent = send(sam, ann, 'Hello again')
      await expect.poll(() => world.waitingForLocks()).toBe(1)
      const undone = olga.call(undoAction, undo)
      await expect.poll(() => world.waitingForLocks()).toBe(2)
      return { replies: Promise.all([sent, undone]) }
    })
    await replies
    expect(await inboxOf(ann, sam)).toMatchObject({
      unread: 2,
      previews: ['Hello again'],
      conversation: ['Buy my pills', 'Hello again'],
    })
  })
})
