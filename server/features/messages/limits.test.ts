import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { limits } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import { messageErrorMessages, sendMessage } from '#contract/messages.ts'
import { realtimeMessages } from '#contract/realtime.ts'
import type { Actor } from '#test/actor.ts'
import { connectSocket, SocketClient } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const world = await newWorld({ rateLimits: true })
afterAll(() => world[Symbol.asyncDispose]())
const [ann, bob, cas] = await world.members('ann', 'bob', 'cas')

test('limits a member to twenty messages at once over socket and HTTP together', async () => {
  using socket = await connectSocket(ann)
  const body = { receiver_id: bob.id, content: 'Hello' }
  const bySocket = await Promise.all(Array.from({ length: 12 }, () => socket.send('send_message', body)))
  const byHttp = await Promise.all(Array.from({ length: 20 }, () => ann.try(sendMessage, { body })))
  expect(bySocket.filter(({ ok }) => ok)).toHaveLength(12)
  const refused = byHttp.filter(({ status }) => status === 429)
  // The limit allows more messages as time passes.
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(12)
  expect(refused[0]?.body.detail).toBe(messageErrorMessages.tooMany)
  expect(refused[0]?.headers.get('retry-after')).toBe('1')

  expect((await cas.try(sendMessage, { body })).status).toBe(201)
  await expect.poll(async () => (await ann.try(sendMessage, { body })).status, { timeout: 5000 }).toBe(201)
})

test('refuses too many events, disconnects a flood and does not affect other members', async () => {
  const dea = await world.member({ username: 'dea' })
  using witness = await connectSocket(bob)
  using socket = await connectSocket(dea)
  const responses = await Promise.all(Array.from({ length: 150 }, () => socket.sendAnything('nonsense')))
  expect(responses[0]).toMatchObject({ ok: false, status: 404 })
  // The limit allows more events as time passes, so the last responses may differ.
  expect(responses).toContainEqual({ ok: false, status: 429, detail: errorMessages.tooManyAttempts })

  using flood = await connectSocket(dea)
  const ended = flood.ended()
  for (let nth = 0; nth < 1000; nth += 1) flood.socket.emit('nonsense')
  expect(await ended).toMatch(/^transport/)

  expect(await witness.send('send_message', { receiver_id: cas.id, content: 'Undisturbed' })).toMatchObject({
    ok: true,
  })
  expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
})

const frame = (opcode: number, payload = '') =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])

/** Connects a member over a bare WebSocket. Its socket reads nothing until it is resumed. */
async function connectPaused(member: Actor) {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': `${'A'.repeat(22)}==`,
  }
  const upgrade = request(`${member.server}/socket.io/?EIO=4&transport=websocket`, { headers }).end()
  const [, socket] = (await once(upgrade, 'upgrade')) as [unknown, Socket]
  socket.on('error', () => {})
  socket.write(frame(1, `40${JSON.stringify({ token: member.token })}`))
  return socket
}

/** Reads until the server closes the connection. Returns whether that was before its first heartbeat. */
async function closesAtOnce(socket: Socket): Promise<boolean> {
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  await once(socket, 'close').catch(() => {})
  return !Buffer.concat(parts).includes(Buffer.from([0x81, 1, 0x32]))
}

test.each([
  ['pings', 0x9],
  ['pongs', 0xa],
])('disconnects a flood of %s', async (_, opcode) => {
  const socket = await connectPaused(cas)
  socket.write(Buffer.alloc(6 * 2000, frame(opcode)))
  expect(await closesAtOnce(socket)).toBe(true)
})

test('disconnects a client that reads no events', async () => {
  const socket = await connectPaused(cas)
  using witness = await connectSocket(cas)
  const content = 'x'.repeat(limits.message)
  const message = await bob.call(sendMessage, { body: { receiver_id: cas.id, content } })
  for (let nth = 0; nth < 3000; nth += 1) {
    world.publish([cas.id], 'new_message', message)
    await setImmediate()
  }
  expect(await closesAtOnce(socket)).toBe(true)
  expect(witness.socket.connected).toBe(true)
})

test('limits a member to thirty connections', async () => {
  const eli = await world.member({ username: 'eli' })
  const sockets = await Promise.all(Array.from({ length: 30 }, () => connectSocket(eli)))
  using more = new SocketClient(eli)
  await expect(more.connected()).rejects.toThrow(realtimeMessages.tooManyConnections)
  using bobs = await connectSocket(bob)
  expect(bobs.socket.connected).toBe(true)

  for (const socket of sockets) socket[Symbol.dispose]()
  await expect
    .poll(async () => {
      using again = new SocketClient(eli)
      return await again.connected().then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
})
