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
import { deliver, type HostileRequest, type HostileResponse, hostileRequests } from './requests.ts'
import { anyPart, anyValue, misfits } from './values.ts'

const concurrency = 8

/** Sends malformed requests as a member and throws at the first response that is not a proper client error. */
export async function sendRequests(world: World, mallory: Actor, times: number, seed: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const batches = fc.array(hostileRequests(await allEndpoints()), {
    minLength: concurrency,
    maxLength: concurrency,
  })
  try {
    await fc.assert(
      fc.asyncProperty(batches, async (requests) => {
        await Promise.all(
          requests.map(async (request) =>
            requireRefusal(request, await deliver(world.url, agent, mallory.token ?? '', request)),
          ),
        )
        requireNoErrorLog(world)
      }),
      { numRuns: Math.ceil(times / concurrency), seed },
    )
  } finally {
    agent.destroy()
  }
  await mallory.call(getProfile)
}

/** Throws unless the response is a list or problem details without internals of the server. */
function requireRefusal({ method, path }: HostileRequest, response: HostileResponse | undefined): void {
  if (!response) return
  const violation = (reason: string) =>
    new Error(`${method} ${path.slice(0, 200)}: ${response.status} ${reason}: ${response.text}`)
  if (response.status >= 500) throw violation('is a server error')
  if (response.status < 400) {
    if (method === 'GET' || method === 'HEAD') return
    throw violation('is not a refusal')
  }
  if (method === 'HEAD') return
  const { success, data } = problem.safeParse(JSON.parse(response.text))
  if (!success || data.status !== response.status) throw violation('has no problem details')
  if (/undefined|Invalid input|\bat \w+ \(|node:|\.ts\b|SELECT/.test(data.detail))
    throw violation('reveals internals')
}

function requireNoErrorLog({ logged }: World): void {
  const error = logged.find((line) => /"level":[56]0/.test(line))
  if (error) throw new Error(error)
  logged.length = 0
}

const payloads = Object.entries(clientEvents).map(([event, schema]) =>
  fc.record({ event: fc.constant(event), payload: fc.tuple(misfits(schema)) }),
)
const unknownEvent = fc.record({
  event: anyPart.filter((name) => !(name in clientEvents)).filter((name) => !reserved.has(name)),
  payload: fc.array(anyValue, { maxLength: 3 }),
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

/** Sends malformed events and frames over several connections. */
export async function sendEvents(world: World, mallory: Actor, times: number, seed: number): Promise<void> {
  const clients: SocketClient[] = []
  const clientAt = async (index: number) => {
    const open = clients[index]
    if (open?.socket.connected) return open
    open?.[Symbol.dispose]()
    const client = new SocketClient(mallory)
    clients[index] = client
    return client.connected()
  }
  const event = fc.oneof(
    ...payloads.map((arbitrary) => ({ weight: 6, arbitrary })),
    { weight: 2, arbitrary: unknownEvent },
    { weight: 1, arbitrary: frame },
  )
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: concurrency, maxLength: concurrency }),
        async (events) => {
          await Promise.all(
            events.map(async (event, index) => {
              const client = await clientAt(index)
              if (typeof event === 'string' || Buffer.isBuffer(event)) {
                client.sendFrame(event)
                // The server may close the connection, so the next event uses a new one.
                return client[Symbol.dispose]()
              }
              const response = await client.sendAnything(event.event, ...event.payload)
              if (response.ok || response.status >= 500)
                throw new Error(`${JSON.stringify(event)} was answered ${JSON.stringify(response)}`)
            }),
          )
          requireNoErrorLog(world)
        },
      ),
      { numRuns: Math.ceil(times / concurrency), seed },
    )
  } finally {
    for (const client of clients) client[Symbol.dispose]()
  }
  await mallory.call(getProfile)
}

/** Returns rows per table (without jobs, rate limits and keys), memory and handles, which hostile input must not increase. */
export async function resourceUse(world: World) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // A refused request may count for a limit, and the first use of a key creates it.
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'signing_keys')`.execute(
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
