import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn, logOut, requestPasswordReset, resetPassword } from '#contract/auth.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { sendMessage } from '#contract/messages.ts'
import type { Actor } from '#test/actor.ts'
import { connectTo } from '#test/database.ts'
import { tokenIn } from '#test/links.ts'
import { photo } from '#test/pictures.ts'
import { openRequest } from '#test/raw-http.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const neighbor = await world.member({ username: 'neighbor' })
const newPassword = 'walls-of-jericho-3'
let members = 0

function newMember() {
  members += 1
  return world.member({ username: `member_${members}` })
}

interface Body {
  readonly type: string
  readonly bytes: Buffer
}

const json = (body: object): Body => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

async function multipart(fields: Record<string, string>, image: Blob): Promise<Body> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', image, 'photo.jpg')
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? '',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
}

const picture = await photo({ width: 60, height: 60 })

const writes: [name: string, method: string, path: string, body: (member: Actor) => Body | Promise<Body>][] =
  [
    ['a new password', 'PUT', '/api/auth/profile', () => json({ password: newPassword })],
    [
      'a new e-mail',
      'PUT',
      '/api/auth/profile',
      ({ username }) => json({ email: `${username}@thief.example` }),
    ],
    ['a new name', 'PUT', '/api/auth/profile', () => json({ first_name: 'Thief' })],
    ['the deletion of the account', 'DELETE', '/api/auth/profile', ({ password }) => json({ password })],
    [
      'a message',
      'POST',
      '/api/messages',
      () => json({ receiver_id: neighbor.id, content: 'Send me money' }),
    ],
    ['a listing', 'POST', '/api/listings', () => multipart({ title: 'Stolen goods', price: '5' }, picture)],
    [
      'a profile photo',
      'POST',
      '/api/auth/upload-profile-image',
      () => multipart({ city: 'Nowhere' }, picture),
    ],
    ['a want', 'POST', '/api/listings/want-listings', () => json({ title: 'beans' })],
    ['a friend request', 'POST', '/api/auth/friends/request', () => json({ friend_id: neighbor.id })],
    ['marking a thread read', 'POST', `/api/messages/${neighbor.id}/mark-thread-read`, () => json({})],
    ['new preferences', 'PUT', '/api/auth/preferences', () => json({ mail_matches: 'never' })],
  ]

const endings: [name: string, end: (member: Actor) => Promise<unknown>][] = [
  ['a logout', (member) => member.call(logOut)],
  [
    'a password reset',
    async ({ email }) => {
      await world.guest().call(requestPasswordReset, { body: { email } })
      await world.jobsDone()
      const token = tokenIn(world.mailTo({ email }).findLast(({ text }) => text.includes('reset-password')))
      await world
        .guest()
        .call(resetPassword, { body: { token, new_password: newPassword, confirm_password: newPassword } })
    },
  ],
  ['a suspension', (member) => world.suspend(member)],
]

/** Returns the member's row and the number of rows that the member has created. */
async function stateOf({ id }: Actor): Promise<unknown> {
  const { rows } = await sql`
    select /* test */ (select to_jsonb(u) from users u where id = ${id}) as account,
      (select count(*) from messages where sender_id = ${id}) as messages,
      (select count(*) from listings where owner_id = ${id}) as listings,
      (select count(*) from wants where user_id = ${id}) as wants,
      (select count(*) from friendships where requester_id = ${id}) as requests`.execute(world.db)
  return rows
}

/** Every write after the first ending, and one as JSON and one as a form after the others. */
const cases = endings.flatMap(([ending, end], index) =>
  writes
    .filter(([name]) => index === 0 || ['a new password', 'a listing'].includes(name))
    .map(([write, method, path, body]) => ({ ending, end, write, method, path, body })),
)

test.each(cases)(
  'rejects $write whose body is complete after $ending',
  async ({ end, method, path, body }) => {
    const member = await newMember()
    const { type, bytes } = await body(member)
    await member.call(getProfile)
    const headers = { authorization: `Bearer ${member.token}`, 'content-type': type }
    const request = await openRequest(world.url, method, path, headers, bytes.length)
    await end(member)
    const before = await stateOf(member)

    const { status, text } = await request.finish(bytes)
    expect([status, text && JSON.parse(text).detail]).toEqual([401, errorMessages.notAuthenticated])
    expect(await stateOf(member)).toEqual(before)
  },
)

test('rejects a socket message whose session ends while the message is processed', async () => {
  const member = await newMember()
  using socket = await connectSocket(member)
  await using operator = await connectTo(world.databaseUrl)
  await operator.query('begin')
  await operator.query('delete from sessions where user_id = $1', [member.id])
  const response = socket.send('send_message', { receiver_id: neighbor.id, content: 'Send me money' })
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  await operator.query('commit')

  expect(await response).toEqual({ ok: false, status: 401, detail: errorMessages.notAuthenticated })
  expect(await stateOf(member)).toMatchObject([{ messages: 0 }])
})

test('a message of an ended session does not affect other messages of the same group commit', async () => {
  const [member, other] = [await newMember(), await newMember()]
  using ended = await connectSocket(member)
  using valid = await connectSocket(other)
  // No notification: the socket is still open.
  await sql`delete from sessions where user_id = ${member.id}`.execute(world.db)
  const body = { receiver_id: neighbor.id, content: 'Hello' }
  const responses = await Promise.all([
    ended.send('send_message', body),
    valid.send('send_message', body),
    ended.send('send_message', body),
    valid.send('send_message', body),
  ])
  expect(responses.map(({ ok }) => ok)).toEqual([false, true, false, true])
})

test('a logout waits until a message of the same session is committed', async () => {
  const member = await newMember()
  const phone = member.at(world.url)
  const login = { username: member.email, password: member.password }
  phone.token = (await world.guest().call(logIn, { body: login })).access_token
  await using locker = await connectTo(world.databaseUrl)
  await locker.query('begin')
  const pair = [member.id, neighbor.id].sort((a, b) => a - b)
  await locker.query('select pg_advisory_xact_lock(hashint8extended($1, $2))', pair)
  const sent = phone.try(sendMessage, { body: { receiver_id: neighbor.id, content: 'Still here' } })
  await expect.poll(() => world.waitingForLocks()).toBe(1)
  const left = phone.try(logOut)
  await expect.poll(() => world.waitingForLocks()).toBe(2)
  await locker.query('commit')

  expect([(await sent).status, (await left).status]).toEqual([201, 204])
})
