import { afterAll, expect, test } from 'vitest'
import { types } from '#contract/constants.ts'
import { listAuditLog } from '#contract/desk.ts'
import {
  actOnMember,
  deskMemberMessages,
  getDeskMember,
  type MemberActionBody,
} from '#contract/desk-members.ts'
import { createListing, updateListing } from '#contract/listings.ts'
import { sendMessage } from '#contract/messages.ts'
import { listNotifications } from '#contract/notifications.ts'
import { caseMessages, undoAction } from '#contract/report-cases.ts'
import { createTrade } from '#contract/trades.ts'
import type { Actor } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
const otherNode = await world.node()
afterAll(async () => {
  await otherNode[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [maud, olga] = await world.members('maud', 'olga')
await admin(world, 'grant', 'maud', 'moderator')
await admin(world, 'grant', 'olga', 'operator')

const act = (by: Actor, { id }: Actor, body: MemberActionBody) =>
  by.try(actOnMember, { params: { id }, body: { rule: 'spam', reason: 'Advertising', ...body } })
const pause = (member: Actor, days = 2) => act(maud, member, { action: 'pause', days })
const write = (from: Actor, to: Actor, content = 'Do you still have kale?') =>
  from.try(sendMessage, { body: { receiver_id: to.id, content } })
const post = (member: Actor, client_id?: string) =>
  member.try(createListing, { body: { title: 'Plums', type_id: types.giveaway, client_id } })
const endOf = async (member: Actor) =>
  (await olga.call(getDeskMember, { params: { id: member.id } })).paused_until
const refused = { status: 403, body: { code: 'paused' } }

test('a paused member writes to no strangers and posts no listings, and reads until when', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  expect((await pause(ann)).status).toBe(200)
  const end = (await endOf(ann)) ?? ''
  expect(Math.round((Date.parse(end) - Date.now()) / 3_600_000)).toBe(48)

  const detail = `Until ${end.slice(0, 16).replace('T', ' ')} UTC you can read, answer and use the market, but not write to new neighbors or post listings.`
  const message = await write(ann, bob)
  expect(message).toMatchObject({ status: 403, body: { code: 'paused', detail } })
  expect(Number(message.headers.get('retry-after'))).toBeGreaterThan(47 * 3600)
  expect(await write(otherNode.as(ann), bob)).toMatchObject(refused)
  expect(await post(ann)).toMatchObject({ status: 403, body: { code: 'paused', detail } })
  using client = await connectSocket(ann)
  expect(await client.sendAnything('send_message', { receiver_id: bob.id, content: 'Kale?' })).toMatchObject({
    ok: false,
    status: 403,
    code: 'paused',
  })
  const translated = await ann.send('POST', '/api/messages', {
    body: JSON.stringify({ receiver_id: bob.id, content: 'Kale?' }),
    headers: { 'content-type': 'application/json', 'accept-language': 'es' },
  })
  expect(translated.body.detail).toMatch(/^Hasta /)
})

test('a paused member answers, goes on with conversations, writes to friends and uses the market', async () => {
  const [ann, asker, partner, friend, stranger] = await world.uniqueMembers(
    'ann',
    'asker',
    'partner',
    'friend',
    'stranger',
  )
  await world.befriend(ann, friend)
  expect((await write(ann, partner)).status).toBe(201)
  const client_id = crypto.randomUUID()
  const { body: own } = await post(ann, client_id)
  const { body: plums } = await post(stranger)
  await pause(ann)

  expect((await write(asker, ann)).status).toBe(201)
  for (const other of [asker, partner, friend]) expect((await write(ann, other)).status).toBe(201)
  expect((await post(ann, client_id)).status).toBe(201)
  expect(
    (await ann.try(updateListing, { params: { id: own.id }, body: { title: 'Ripe plums' } })).status,
  ).toBe(200)
  const ask = (note?: string) =>
    ann.try(createTrade, { body: { listing_id: plums.id, ...(note && { note }) } })
  expect(await ask('May I come today?')).toMatchObject(refused)
  expect((await ask()).status).toBe(201)
})

test('a first message that was refused before the pause stays refused', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  const about = { receiver_id: bob.id, content: 'This one?', listing_id: 987_654_321 }
  expect((await ann.try(sendMessage, { body: about })).status).toBe(422)
  await pause(ann)
  expect(await write(ann, bob)).toMatchObject(refused)
})

test('a pause ends by itself, and can be given again', async () => {
  const [ann, bob] = await world.uniqueMembers('ann', 'bob')
  await pause(ann)
  const earlier = { ends_at: '2026-01-01', user_id: ann.id }
  await world.db.updateTable('pauses').set(earlier).where('user_id', '=', ann.id).execute()
  expect(await endOf(ann)).toBeNull()
  expect((await write(ann, bob)).status).toBe(201)
  expect((await post(ann)).status).toBe(201)
  expect(await act(maud, ann, { action: 'unpause' })).toMatchObject({ status: 409 })
  expect((await pause(ann)).status).toBe(200)
  expect(await post(ann)).toMatchObject(refused)
})

test('two moderators pause and undo once at the same time', async () => {
  const [ann] = await world.uniqueMembers('ann')
  const paused = await Promise.all([maud, olga].map((by) => act(by, ann, { action: 'pause', days: 1 })))
  expect(paused.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(paused.find(({ status }) => status === 409)?.body).toMatchObject({
    detail: deskMemberMessages.paused,
  })
  const query = { action: 'member_paused', target_id: ann.id } as const
  const [entry] = await maud.call(listAuditLog, { query })
  const undoing = { params: { id: entry?.id ?? 0 }, body: { reason: 'A mistake' } }
  const undone = await Promise.all([maud, olga].map((by) => by.try(undoAction, undoing)))
  expect(undone.map(({ status }) => status).sort()).toEqual([204, 409])
  expect((await post(ann)).status).toBe(201)
  expect(await maud.call(listAuditLog, { query: { target_id: ann.id } })).toMatchObject([
    { action: 'member_unpaused', reason: 'A mistake', undoes: entry?.id },
    { action: 'member_paused', reason: 'Advertising', is_undone: true },
  ])
})

test('the undo of a pause that was ended does not end the next one', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await pause(ann)
  const query = { action: 'member_paused', target_id: ann.id } as const
  const [first] = await maud.call(listAuditLog, { query })
  await act(maud, ann, { action: 'unpause' })
  const undo = () => maud.try(undoAction, { params: { id: first?.id ?? 0 }, body: { reason: 'A mistake' } })
  expect(await undo()).toMatchObject({ status: 409, body: { detail: caseMessages.changedSince } })
  await pause(ann)
  expect((await undo()).status).toBe(409)
  expect(await post(ann)).toMatchObject(refused)
})

test('the member is told of a pause with rule, reason and end, and of its end', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await world.confirm(ann)
  await pause(ann)
  await act(maud, ann, { action: 'unpause' })
  await world.jobsDone()
  const told = await ann.call(listNotifications, { query: {} })
  expect(told.map(({ notice }) => notice)).toEqual([
    { kind: 'unpaused', listings: [], rule: null, text: null, ends_at: null },
    { kind: 'paused', listings: [], rule: 'spam', text: 'Advertising', ends_at: expect.any(String) },
  ])
  const mails = world.mailTo(ann).map(({ subject, text }) => ({ subject, text }))
  expect(mails).toContainEqual({
    subject: 'A pause for your account',
    text: expect.stringMatching(/Until .+ UTC you can read, answer[\s\S]+Advertising/),
  })
})

test.each([[null], [undefined], [0], [8], [1.5], ['3'], [-1]])(
  'a pause of %j days is refused with a sentence',
  async (days) => {
    const [ann] = await world.uniqueMembers('ann')
    const reply = await maud.send('POST', `/api/desk/members/${ann.id}/actions`, {
      body: JSON.stringify({ action: 'pause', reason: 'Spam', days }),
      headers: { 'content-type': 'application/json' },
    })
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^Please choose from 1 to/) },
    })
    expect(await endOf(ann)).toBeNull()
  },
)

test('nobody pauses an operator or themselves', async () => {
  expect(await act(maud, olga, { action: 'pause', days: 1 })).toMatchObject({
    status: 409,
    body: { detail: deskMemberMessages.hasRole },
  })
  expect(await act(olga, olga, { action: 'pause', days: 1 })).toMatchObject({
    status: 409,
    body: { detail: deskMemberMessages.self },
  })
})
