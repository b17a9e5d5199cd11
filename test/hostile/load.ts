import { Agent } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { sql } from 'kysely'
import { getProfile } from '#contract/auth.ts'
import { problem } from '#contract/problem.ts'
import { clientEvents } from '#contract/realtime.ts'
import type { Actor } from '#test/actor.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { SocketClient } from '#test/socket-client.ts'
import type { World } from '#test/world.ts'
import { deliver, type Hostile, hostileRequests, type Said } from './requests.ts'
import { anyPart, anyValue, misfits } from './values.ts'

const concurrency = 8

/** Sends malformed requests as a member, some at a time, and throws at the first answer that is none for a client's mistake. */
export async function sendRequests(world: World, mallory: Actor, times: number, seed: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const some = fc.array(hostileRequests(await allEndpoints()), {
    minLength: concurrency,
    maxLength: concurrency,
  })
  try {
    await fc.assert(
      fc.asyncProperty(some, async (requests) => {
        await Promise.all(
          requests.map(async (sent) =>
            judge(sent, await deliver(world.url, agent, mallory.token ?? '', sent)),
          ),
        )
        requireNoSurprise(world)
      }),
      { numRuns: Math.ceil(times / concurrency), seed },
    )
  } finally {
    agent.destroy()
  }
  await mallory.call(getProfile)
}

/** A list, or a refusal in one sentence without anything of the server's insides. */
function judge({ method, path }: Hostile, said: Said | undefined): void {
  if (!said) return
  const wrong = (why: string) =>
    new Error(`${method} ${path.slice(0, 200)}: ${said.status} ${why}: ${said.text}`)
  if (said.status >= 500) throw wrong('is a failure')
  if (said.status < 400) {
    if (method === 'GET' || method === 'HEAD') return
    throw wrong('is no refusal')
  }
  if (method === 'HEAD') return
  const { success, data } = problem.safeParse(JSON.parse(said.text))
  if (!success || data.status !== said.status) throw wrong('is no problem')
  if (/undefined|Invalid input|\bat \w+ \(|node:|\.ts\b|SELECT/.test(data.detail))
    throw wrong('says too much')
}

function requireNoSurprise({ logged }: World): void {
  const surprise = logged.find((line) => /"level":[56]0/.test(line))
  if (surprise) throw new Error(surprise)
  logged.length = 0
}

const payloads = Object.entries(clientEvents).map(([event, schema]) =>
  fc.record({ event: fc.constant(event), sent: fc.tuple(misfits(schema)) }),
)
const unknownEvent = fc.record({
  event: anyPart.filter((name) => !(name in clientEvents)).filter((name) => !reserved.has(name)),
  sent: fc.array(anyValue, { maxLength: 3 }),
})
/** Event names that Socket.IO reserves. */
const reserved = new Set([
  'connect',
  'connect_error',
  'disconnect',
  'disconnecting',
  'newListener',
  'removeListener',
])
const frame = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }).map((text) => `4${text.toWellFormed()}`),
  fc.string({ maxLength: 40 }).map((text) => `42["send_message",${text}`),
  fc.string({ unit: fc.constantFrom(...'0123456789-[]{}",/a'), maxLength: 30 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

/** Sends malformed events over some connections, and now and then what is no event at all. */
export async function sendEvents(world: World, mallory: Actor, times: number, seed: number): Promise<void> {
  const lines: SocketClient[] = []
  const lineOf = async (place: number) => {
    const open = lines[place]
    if (open?.socket.connected) return open
    open?.[Symbol.dispose]()
    const line = new SocketClient(mallory)
    lines[place] = line
    return line.connected()
  }
  const one = fc.oneof(
    ...payloads.map((arbitrary) => ({ weight: 6, arbitrary })),
    { weight: 2, arbitrary: unknownEvent },
    { weight: 1, arbitrary: frame },
  )
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: concurrency, maxLength: concurrency }), async (events) => {
        await Promise.all(
          events.map(async (sent, place) => {
            const line = await lineOf(place)
            if (typeof sent === 'string' || Buffer.isBuffer(sent)) {
              line.sendFrame(sent)
              // The end of the connection is the worst that may come of it; what comes next opens another.
              return line[Symbol.dispose]()
            }
            const answer = await line.sendAnything(sent.event, ...sent.sent)
            if (answer.ok || answer.status >= 500)
              throw new Error(`${JSON.stringify(sent)} was answered ${JSON.stringify(answer)}`)
          }),
        )
        requireNoSurprise(world)
      }),
      { numRuns: Math.ceil(times / concurrency), seed },
    )
  } finally {
    for (const line of lines) line[Symbol.dispose]()
  }
  await mallory.call(getProfile)
}

/** Returns the sizes that hostile input must not increase, without jobs and rate limits. */
export async function holdings(world: World) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'rate_limits'`.execute(
    world.db,
  )
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(
      world.db,
    )
    rows[name] = counted.rows[0]?.rows ?? 0
  }
  const { heapUsed, rss } = process.memoryUsage()
  return {
    rows,
    heapMB: heapUsed / 2 ** 20,
    rssMB: rss / 2 ** 20,
    handles: process.getActiveResourcesInfo().length,
  }
}
