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

/** Somebody else with a connection to the same Redis. */
class Stranger {
  readonly #redis: Redis

  constructor(url: string) {
    this.#redis = new Redis(url)
  }

  async say(words: string) {
    expect(await this.#redis.publish('rhubarb:realtime', words)).toBe(2)
  }

  [Symbol.dispose]() {
    this.#redis.disconnect()
  }
}

/** Resolves when what is told at either node is heard at the other: nodes need a moment to find each other. */
async function whole(near: Actor, far: Actor) {
  using here = await connectSocket(near)
  using there = await connectSocket(other.meet(far))
  let nth = 0
  await expect
    .poll(
      () => {
        nth += 1
        world.publish([far.id], 'friends_changed', { user_id: nth })
        other.publish([near.id], 'friends_changed', { user_id: nth })
        return [here, there].every((line) => line.received('friends_changed').length > 0)
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(true)
}

test('two who sit at different nodes talk as if they sat at one, each message heard once and in order', async () => {
  const [ann, bob] = await world.members('ann', 'bob')
  await whole(ann, bob)
  using anns = await connectSocket(ann)
  using annsPhone = await connectSocket(other.meet(ann))
  using bobs = await connectSocket(other.meet(bob))
  for (let nth = 1; nth <= 10; nth += 1) {
    const [line, receiver] = nth % 2 ? [anns, bob] : [bobs, ann]
    expect(await line.send('send_message', { receiver_id: receiver.id, content: `${nth}` })).toMatchObject({
      ok: true,
    })
  }

  const stored = await ann.call(listMessages, { params: { id: bob.id }, query: {} })
  expect(stored.map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
  for (const line of [anns, annsPhone, bobs]) {
    await expect.poll(() => line.received('new_message')).toHaveLength(10)
    expect(line.received('new_message').toSorted((one, next) => one.id - next.id)).toEqual(stored)
  }
})

test.each<[string, () => unknown, () => unknown]>([
  ['gone', redis.kill, redis.restart],
  ['stalled', redis.stall, redis.goOn],
])(
  'with Redis %s, messages are stored, acknowledged and heard within a node; when it is back, all is as before',
  async (name, break_, mend) => {
    const [cas, dea] = await world.members(`cas_${name}`, `dea_${name}`)
    await whole(cas, dea)
    using near = await connectSocket(cas)
    using nearToo = await connectSocket(dea)
    using far = await connectSocket(other.meet(dea))
    await break_()
    const sent = await near.send('send_message', { receiver_id: dea.id, content: 'While it is away' })
    expect(sent).toMatchObject({ ok: true })
    await expect.poll(() => nearToo.received('new_message')).toHaveLength(1)
    expect(await cas.call(sendMessage, { body: { receiver_id: dea.id, content: 'By HTTP' } })).toMatchObject(
      {},
    )
    expect((await world.guest().send('GET', '/readyz')).status).toBe(200)
    expect(far.received('new_message')).toEqual([])

    await mend()
    await whole(cas, dea)
    if (name === 'gone') await expect.poll(() => far.received('missed').length).toBeGreaterThan(0)
    const seen = await other.meet(dea).call(listMessages, { params: { id: cas.id }, query: {} })
    expect(seen.map(({ content }) => content)).toEqual(['While it is away', 'By HTTP'])
    await near.send('send_message', { receiver_id: dea.id, content: 'Again' })
    await expect.poll(() => far.received('new_message').map(({ content }) => content)).toContain('Again')
    expect(world.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  },
)

test('where a node starts, the others ask: it may follow one that died before it told what it had stored', async () => {
  const [hal, ida] = await world.members('hal', 'ida')
  await whole(hal, ida)
  using line = await connectSocket(hal)

  await using _next = await world.node()

  await expect.poll(() => line.received('missed')).toHaveLength(1)
})

test('what others say on the same Redis hurts nobody', async () => {
  const [fay, gil] = await world.members('fay', 'gil')
  await whole(fay, gil)
  using stranger = new Stranger(redis.url)
  for (const words of [
    'hello',
    'null',
    '42',
    '{}',
    '{"from":"x","message":null}',
    '{"from":"x","message":{"members":7}}',
  ])
    await stranger.say(words)

  await whole(fay, gil)
})

test('a node starts without its Redis, and finds it later', async () => {
  await redis.kill()
  await using third = await world.node()
  const [eva] = await world.members('eva')
  using line = await connectSocket(third.meet(eva))
  third.publish([eva.id], 'friends_changed', { user_id: 1 })
  await expect.poll(() => line.received('friends_changed')).toHaveLength(1)

  await redis.restart()
  await expect
    .poll(
      () => {
        world.publish([eva.id], 'friends_changed', { user_id: 2 })
        return line.received('friends_changed').some(({ user_id }) => user_id === 2)
      },
      { timeout: 20_000 },
    )
    .toBe(true)
})
