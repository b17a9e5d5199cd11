import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { logIn, logOut } from '#contract/auth.ts'
import { deleteProfile, updateProfile } from '#contract/profile.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket, SocketClient } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: false })
afterAll(() => world[Symbol.asyncDispose]())
const ownOrigin = new URL(world.config.publicUrl ?? '').origin

/** Logs the member in on another device. */
async function onOtherDevice(actor: Actor): Promise<Actor> {
  const device = actor.at(actor.server)
  device.token = (
    await world.guest().call(logIn, { body: { username: actor.email, password: actor.password } })
  ).access_token
  return device
}

test('publishes events to all sockets of the members and to no others', async () => {
  const [ann, bob] = await world.members('ann', 'bob')
  using phone = await connectSocket(ann)
  using laptop = await connectSocket(await onOtherDevice(ann))
  using bobs = await connectSocket(bob)
  world.publish([ann.id], 'friends_changed', { user_id: 7 })
  world.publish([ann.id, bob.id], 'friends_changed', { user_id: 8 })

  await expect.poll(() => bobs.received('friends_changed')).toEqual([{ user_id: 8 }])
  for (const socket of [phone, laptop])
    await expect.poll(() => socket.received('friends_changed')).toEqual([{ user_id: 7 }, { user_id: 8 }])
})

test.each<[string, unknown]>([
  ['no token', undefined],
  ['an unknown token', 'x'.repeat(43)],
  ['a number for a token', 42],
  ['an object for a token', { $ne: '' }],
])('refuses a connection with %s', async (_, token) => {
  using client = new SocketClient({ server: world.url, token: token as string })
  await expect(client.connected()).rejects.toMatchObject({
    message: 'Not authenticated',
    data: { code: 'not_authenticated' },
  })
  expect(client.socket.connected).toBe(false)
})

test('refuses pages of other origins and accepts the own origin', async () => {
  const [cas] = await world.members('cas')
  for (const origin of [
    'https://evil.example',
    'http://rhubarb.test',
    'https://rhubarb.test.evil.example',
    'null',
    world.url,
  ]) {
    using foreign = new SocketClient(cas, { extraHeaders: { origin } })
    await expect(foreign.connected()).rejects.toThrow('websocket error')
  }
  using own = await connectSocket(cas, { extraHeaders: { origin: ownOrigin } })
  expect(own.socket.connected).toBe(true)
})

test('without a public URL, accepts pages of the host of the request', async () => {
  await using other = await world.node({ publicUrl: undefined })
  const [cem] = await world.members('cem')
  const there = other.as(cem)
  using own = await connectSocket(there, { extraHeaders: { origin: there.server } })
  expect(own.socket.connected).toBe(true)
  using foreign = new SocketClient(there, { extraHeaders: { origin: 'http://localhost:1' } })
  await expect(foreign.connected()).rejects.toThrow('websocket error')
})

test('refuses HTTP long polling', async () => {
  const { status } = await world.guest().send('GET', '/socket.io/?EIO=4&transport=polling')
  expect(status).toBe(400)
})

describe('the end of a session closes its sockets on all nodes', () => {
  const ways: [string, (member: Actor) => Promise<unknown>][] = [
    ['a logout', (member) => member.call(logOut)],
    ['a suspension', (member) => world.suspend(member)],
    ['a deletion', (member) => member.call(deleteProfile, { body: { password: member.password } })],
  ]

  test.each(ways)('%s', async (name, end) => {
    await using other = await world.node()
    const username = `gone_by_${name.split(' ')[1]}`
    const member = await world.member({ username })
    const [bystander] = await world.members(`${username}_friend`)
    using near = await connectSocket(member)
    using far = await connectSocket(other.as(member))
    using others = await connectSocket(other.as(bystander))
    const ended = Promise.all([near.ended(), far.ended()])
    await end(member)

    expect(await ended).toEqual(['io server disconnect', 'io server disconnect'])
    expect(others.socket.connected).toBe(true)
    using again = new SocketClient(other.as(member))
    await expect(again.connected()).rejects.toThrow('Not authenticated')
  })

  test('a new password, except on the device where it was set', async () => {
    const [dora] = await world.members('dora')
    const device = await onOtherDevice(dora)
    using own = await connectSocket(dora)
    using other = await connectSocket(device)
    const ended = other.ended()
    await dora.call(updateProfile, { body: { password: 'walls-of-jericho-3' } })

    await ended
    world.publish([dora.id], 'friends_changed', { user_id: 1 })
    await expect.poll(() => own.received('friends_changed')).toHaveLength(1)
    expect(other.received('friends_changed')).toEqual([])
  })

  test('a deleted or expired session without a notification, after the listener reconnects', async () => {
    const [eva, flo] = await world.members('eva', 'flo')
    using deleted = await connectSocket(eva)
    using expired = await connectSocket(flo)
    const ended = Promise.all([deleted.ended(), expired.ended()])
    await sql`delete from sessions where user_id = ${eva.id}`.execute(world.db)
    await sql`update sessions set expires_at = now() where user_id = ${flo.id}`.execute(world.db)
    // A node checks all sessions when its listener reconnects, and every half minute.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'rhubarb listener'`.execute(world.db)

    expect(await ended).toEqual(['io server disconnect', 'io server disconnect'])
  })
})

describe('malformed events', () => {
  const frames: [string, string | Buffer][] = [
    ['text', 'hello'],
    ['a broken packet', '42["send_message",{'],
    ['an event without a name', '42[]'],
    ['an event that is an object', '42{"a":1}'],
    ['a reserved event name', '42["disconnect"]'],
    ['an unknown namespace', '40/admin,{}'],
    ['a second CONNECT packet', '40{}'],
    ['binary', Buffer.from([1, 2, 3])],
    ['too many attachments', '4599999-["send_message",{"_placeholder":true,"num":0}]'],
    ['an overlong packet', `42["send_message","${'x'.repeat(40_000)}"]`],
    ['an error', '42["error",{}]'],
    ['an acknowledgement without an event', '43999["x"]'],
  ]
  test('do not affect the server or other members', async () => {
    const [fay, gil] = await world.members('fay', 'gil')
    using witness = await connectSocket(gil)
    for (const [, frame] of frames) {
      using client = await connectSocket(fay)
      client.sendFrame(frame)
    }
    for (const event of ['nonsense', 'connection', '__proto__', 'toString']) {
      using client = await connectSocket(fay)
      expect(await client.sendAnything(event, {})).toEqual({ ok: false, status: 404, detail: 'Not found' })
    }

    world.publish([gil.id], 'friends_changed', { user_id: 1 })
    await expect.poll(() => witness.received('friends_changed')).toHaveLength(1)
    expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})

test('a stopping node closes its sockets so that clients reconnect', async () => {
  const other = await world.node()
  const [hal] = await world.members('hal')
  using client = await connectSocket(other.as(hal))
  const ended = client.ended()
  await other[Symbol.asyncDispose]()

  expect(await ended).toBe('transport close')
})

/** Sends frames over a bare WebSocket as soon as it is open. Resolves when the server closes it. */
function sendFrames(frames: readonly string[]): Promise<string[]> {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  const received: string[] = []
  socket.onopen = () => {
    for (const frame of frames) socket.send(frame)
  }
  socket.onmessage = ({ data }) => received.push(String(data))
  return new Promise((resolve) => {
    socket.onclose = () => resolve(received)
  })
}

test('closes a connection that sends several CONNECT packets', async () => {
  const [eva] = await world.members('eva_connects')
  const connect = `40${JSON.stringify({ token: eva.token })}`
  const received = await sendFrames([connect, connect, connect])

  expect(received.filter((frame) => frame.startsWith('40'))).toEqual([])
})

test('connections that close during authentication do not count towards the limit', async () => {
  await using limited = await world.node({ rateLimits: true })
  const [fay] = await world.members('fay_connects')
  const connect = `40${JSON.stringify({ token: fay.token })}`
  for (let attempt = 0; attempt < 31; attempt += 1) {
    const socket = new WebSocket(`${limited.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    await new Promise<void>((resolve) => {
      socket.onclose = () => resolve()
      socket.onopen = () => {
        socket.send(connect)
        socket.send(connect)
      }
    })
  }
  using client = await connectSocket(limited.as(fay))
  expect(client.socket.connected).toBe(true)
})
