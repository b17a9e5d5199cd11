import { afterAll, expect, test } from 'vitest'
import { authMessages, logIn } from '#contract/auth.ts'
import { addBan, banMessages } from '#contract/bans.ts'
import { listAuditLog } from '#contract/desk.ts'
import { actOnMember, getDeskMember, type MemberActionBody } from '#contract/desk-members.ts'
import { getSuspicious } from '#contract/desk-suspicious.ts'
import { countUnreadMessages, listMessages, listThreads, sendMessage } from '#contract/messages.ts'
import { listReportCases, undoAction } from '#contract/report-cases.ts'
import { getSuspension } from '#contract/suspensions.ts'
import { Actor, json, registrationOf } from '#test/actor.ts'
import { admin } from '#test/admin.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
afterAll(() => world[Symbol.asyncDispose]())

const pills = 'Cheap pills for everybody, only today, ask me for the address of the shop!'

/** Registers a member from an address, through a trusted proxy. */
async function join(username: string, address: string) {
  const person = registrationOf({ username, email: `${username}@pills.example` })
  const { headers, body } = json(person)
  const sent = { body, headers: { ...headers, 'x-forwarded-for': address } }
  const reply = await world.guest().send<Actor['profile'] & object>('POST', '/api/auth/register', sent)
  return { reply, credentials: { username: person.email, password: person.password } }
}

test("a spammer's afternoon", async () => {
  const [maud, olga] = await world.members('maud', 'olga')
  await admin(world, 'grant', 'maud', 'moderator')
  await admin(world, 'grant', 'olga', 'operator')
  const neighbors = await world.members(...Array.from({ length: 16 }, (_, nth) => `neighbor_${nth}`))
  const unreadOf = (neighbor: Actor) => neighbor.call(countUnreadMessages)
  const threadsOf = (neighbor: Actor) => neighbor.call(listThreads, { query: {} })

  // One o'clock: the spammer registers and writes to everybody.
  const { reply, credentials } = await join('spammer', '203.0.113.66')
  expect(reply.status).toBe(201)
  const spammer = new Actor(world.url)
  spammer.profile = reply.body
  spammer.token = (await spammer.call(logIn, { body: credentials })).access_token
  const write = (to: Actor, content: string) =>
    spammer.try(sendMessage, { body: { receiver_id: to.id, content } })
  const refused = []
  const reached: Actor[] = []
  for (const [nth, neighbor] of neighbors.entries()) {
    const { status, body } = await write(neighbor, nth % 2 ? pills : `${pills} Number ${nth}`)
    if (status === 201) reached.push(neighbor)
    else refused.push(body.code)
  }

  // The limits stop most of it.
  expect(reached.length).toBe(5)
  expect(refused).toHaveLength(11)
  expect(new Set(refused)).toEqual(new Set(['contacts_unconfirmed', 'equal_texts']))
  expect(await Promise.all(reached.map(unreadOf))).toEqual([1, 1, 1, 1, 1])

  // Two o'clock: a moderator sees the spammer on the screen and pauses them, then knows enough.
  expect((await maud.call(listReportCases, { query: {} }))[0]?.reports[0]).toMatchObject({
    noticed: 'equal_texts',
  })
  const { senders } = await maud.call(getSuspicious)
  expect(senders[0]).toMatchObject({ id: spammer.id, receiver_count: 5, text_count: 2 })
  const act = (body: MemberActionBody) =>
    maud.call(actOnMember, { params: { id: spammer.id }, body: { rule: 'spam', reason: 'Pills', ...body } })
  await act({ action: 'pause', days: 3 })
  expect((await write(neighbors[12] as Actor, 'Hello')).body.code).toBe('paused')
  await act({ action: 'suspend' })
  expect((await write(reached[0] as Actor, 'Hello')).status).toBe(401)
  const login = await world.guest().try(logIn, { body: credentials })
  expect(login).toMatchObject({ status: 403, body: { code: 'suspended', detail: authMessages.suspended } })
  expect(await world.guest().call(getSuspension, { body: credentials })).toMatchObject({ reason: 'Pills' })

  // One action takes the messages out of inboxes and badges.
  await act({ action: 'withdraw' })
  expect(await Promise.all(reached.map(unreadOf))).toEqual([0, 0, 0, 0, 0])
  for (const neighbor of reached) expect(await threadsOf(neighbor)).toEqual([])
  expect((await maud.call(getSuspicious)).senders).toEqual([])

  // Three o'clock: an operator bans the domain, and the second account is refused.
  await olga.call(addBan, { body: { kind: 'domain', value: 'pills.example', reason: 'Pills' } })
  const second = await join('spammer_again', '198.51.100.9')
  expect(second.reply).toMatchObject({ status: 422, body: { detail: banMessages.domain } })
  await olga.call(addBan, { body: { kind: 'network', value: '203.0.113.66', reason: 'Pills' } })
  const third = await world.guest().send('POST', '/api/auth/register', {
    ...json(registrationOf({ username: 'from_elsewhere' })),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.66' },
  })
  expect(third).toMatchObject({ status: 403, body: { detail: banMessages.network } })

  // Four o'clock: it was the wrong member. The undo brings the messages back, also the badges.
  const undo = async (by: Actor, action: 'messages_withdrawn' | 'member_suspended' | 'ban_added') => {
    const [entry] = await maud.call(listAuditLog, { query: { action } })
    return by.call(undoAction, { params: { id: entry?.id ?? 0 }, body: { reason: 'The wrong one' } })
  }
  await undo(maud, 'messages_withdrawn')
  expect(await Promise.all(reached.map(unreadOf))).toEqual([1, 1, 1, 1, 1])
  const inbox = await reached[1]?.call(listMessages, { params: { id: spammer.id }, query: {} })
  expect(inbox?.map(({ content }) => content)).toEqual([pills])
  await undo(maud, 'member_suspended')
  await undo(olga, 'ban_added')
  expect((await world.guest().try(logIn, { body: credentials })).status).toBe(200)
  expect(await olga.call(getDeskMember, { params: { id: spammer.id } })).toMatchObject({
    suspended_at: null,
    is_withdrawn: false,
    paused_until: expect.any(String),
  })
})
