import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { listMessages, sendMessage } from '#contract/messages.ts'
import type { Actor } from '#test/actor.ts'
import { startRedis } from '#test/redis-server.ts'
import { connectSocket } from '#test/socket-client.ts'
import { newWorld } from '#test/world.ts'

const redis = await startRedis()
const world = await newWorld({ config: { redisUrl: redis.url } })
const other = await world.node()
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

/** Another client of the same Redis. */
class OtherClient {
  readonly #redis: Redis

  constructor(url: string) {
    this.#redis = new Redis(url)
  }

  async publish(text: string) {
    expect(await this.#redis.publish('rhubarb:realtime', text)).toBe(2)
  }

  [Symbol.dispose]() {
    this.#redis.disconnect()
  }
}

/** Waits until each node receives the events of the other. */
async function waitUntilConnected(near: Actor, far: Actor) {
  using here = await connectSocket(near)
  using there = await connectSocket(other.as(far))
  let nth = 0
  await expect
    .poll(
      () => {
        nth += 1
        world.publish([far.id], 'friends_changed', { user_id: nth })
        other.publish([near.id], 'friends_changed', { user_id: nth })
        return [here, there].every((socket) => socket.received('friends_changed').length > 0)
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(true)
}

test('delivers each message once and in order between two nodes', async () => {
  const [ann, bob] = await world.members('ann', 'bob')
  await waitUntilConnected(ann, bob)
  using anns = await connectSocket(ann)
  using annsPhone = await connectSocket(other.as(ann))
  using bobs = await connectSocket(other.as(bob))
  for (let nth = 1; nth <= 10; nth += 1) {
    const [socket, receiver] = nth % 2 ? [anns, bob] : [bobs, ann]
    expect(await socket.send('send_message', { receiver_id: receiver.id, content: `${nth}` })).toMatchObject({
      ok: true,
    })
  }

  const stored = await ann.call(listMessages, { params: { id: bob.id }, query: {} })
  expect(stored.map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
  for (const socket of [anns, annsPhone, bobs]) {
    await expect.poll(() => socket.received('new_message')).toHaveLength(10)
    expect(socket.received('new_message').toSorted((a, b) => a.id - b.id)).toEqual(stored)
  }
})

test.each<[string, () => unknown, () => unknown]>([
  ['gone', redis.kill, redis.restart],
  ['stalled', redis.stall, redis.resume],
])(
  'with Redis %s, a node stores and delivers messages, and other nodes receive them after recovery',
  async (name, interrupt, recover) => {
    const [cas, dea] = await world.members(`cas_${name}`, `dea_${name}`)
    await waitUntilConnected(cas, dea)
    using near = await connectSocket(cas)
    using nearToo = await connectSocket(dea)
    using far = await connectSocket(other.as(dea))
    await interrupt()
    const sent = await near.send('send_message', { receiver_id: dea.id, content: 'While it is away' })
    expect(sent).toMatchObject({ ok: true })
    await expect.poll(() => nearToo.received('new_message')).toHaveLength(1)
    await cas.call(sendMessage, { body: { receiver_id: dea.id, content: 'By HTTP' } })
    expect((await world.guest().send('GET', '/readyz')).status).toBe(200)
    expect(far.received('new_message')).toEqual([])

    await recover()
    await waitUntilConnected(cas, dea)
    if (name === 'gone') await expect.poll(() => far.received('missed').length).toBeGreaterThan(0)
    const stored = await other.as(dea).call(listMessages, { params: { id: cas.id }, query: {} })
    expect(stored.map(({ content }) => content)).toEqual(['While it is away', 'By HTTP'])
    await near.send('send_message', { receiver_id: dea.id, content: 'Again' })
    await expect.poll(() => far.received('new_message').map(({ content }) => content)).toContain('Again')
    expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  },
)

// The new node may replace one that died after it stored events and before it published them.
test('tells the clients of other nodes to resync when a node starts', async () => {
  const [hal, ida] = await world.members('hal', 'ida')
  await waitUntilConnected(hal, ida)
  using socket = await connectSocket(hal)

  await using _next = await world.node()

  await expect.poll(() => socket.received('missed')).toHaveLength(1)
})

test('tells its own clients to resync when a starting node has subscribed', async () => {
  const [jan] = await world.members('jan')
  redis.stall()
  await using third = await world.node()
  using socket = await connectSocket(third.as(jan))
  expect(socket.received('missed')).toEqual([])

  redis.resume()
  await expect.poll(() => socket.received('missed')).toHaveLength(1)
})

test('ignores malformed messages of other clients of Redis', async () => {
  const [fay, gil] = await world.members('fay', 'gil')
  await waitUntilConnected(fay, gil)
  using client = new OtherClient(redis.url)
  for (const text of [
    'hello',
    'null',
    '42',
    '{}',
    '{"from":"x","message":null}',
    '{"from":"x","message":{"members":7}}',
  ])
    await client.publish(text)

  await waitUntilConnected(fay, gil)
})

test('a node starts without Redis and connects later', async () => {
  await redis.kill()
  await using third = await world.node()
  const [eva] = await world.members('eva')
  using socket = await connectSocket(third.as(eva))
  third.publish([eva.id], 'friends_changed', { user_id: 1 })
  await expect.poll(() => socket.received('friends_changed')).toHaveLength(1)

  await redis.restart()
  await expect
    .poll(
      () => {
        world.publish([eva.id], 'friends_changed', { user_id: 2 })
        return socket.received('friends_changed').some(({ user_id }) => user_id === 2)
      },
      { timeout: 20_000 },
    )
    .toBe(true)
})
