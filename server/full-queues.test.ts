import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { exportProfile } from '#contract/profile.ts'
import { deleteWant } from '#contract/wants.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { noTokenBuckets } from '#server/platform/token-buckets.ts'
import { plainSite } from '#test/plain-site.ts'
import { newWorld } from '#test/world.ts'
import { hashPassword } from './features/auth/passwords.ts'
import { servePages } from './platform/http/pages.ts'
import { createServer } from './platform/http/server.ts'

// The queues of photos and messages are tested with their features.
const world = await newWorld()
// Calls that wait for a lock must neither reach its timeout nor hold all connections.
const database = { ...world.config.database, statementTimeoutMs: 60_000, pool: 20 }
const node = await world.node({ database })
afterAll(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})
const [member] = await world.members('ann')
const ann = node.as(member)

/** Starts calls while the table is locked, and returns the responses of those that are answered meanwhile. Then all others succeed. */
async function answeredWhileLocked(
  { calls, refused }: { calls: number; refused: number },
  call: () => Promise<{ status: number; headers: Headers }>,
) {
  const answered: { status: number; retryAfter: string | null }[] = []
  const operator = new pg.Client(world.databaseUrl)
  await operator.connect()
  await operator.query('begin; lock table wants in access exclusive mode')
  const all = Array.from({ length: calls }, async () => {
    const { status, headers } = await call()
    answered.push({ status, retryAfter: headers.get('retry-after') })
  })
  await expect.poll(() => answered.length).toBe(refused)
  await operator.end()
  await Promise.all(all)
  return { refused: answered.slice(0, refused), others: answered.slice(refused).map(({ status }) => status) }
}

const overloaded = { status: 503, retryAfter: '10' }

test('answers 503 with Retry-After at once if 2 exports run and 50 wait', async () => {
  const { refused, others } = await answeredWhileLocked({ calls: 55, refused: 3 }, () =>
    ann.try(exportProfile),
  )

  expect(refused).toEqual(Array(3).fill(overloaded))
  expect(others).toEqual(Array(52).fill(200))
})

test('answers 503 with Retry-After at once if 4 writes of a member run and 300 wait', async () => {
  const params = { id: 987_654_321 }
  const { refused, others } = await answeredWhileLocked({ calls: 307, refused: 3 }, () =>
    ann.try(deleteWant, { params }),
  )

  expect(refused).toEqual(Array(3).fill(overloaded))
  expect(others).toEqual(Array(304).fill(404))
})

test('refuses a password if 200 others wait', async () => {
  const hashes = await Promise.allSettled(Array.from({ length: 400 }, () => hashPassword('beans and peas')))
  const accepted = hashes.findIndex(({ status }) => status === 'rejected')

  expect(accepted).toBeGreaterThan(200)
  expect(hashes.slice(0, accepted).every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(hashes.at(-1)).toMatchObject({ reason: { code: 'unavailable', retryAfter: 10 } })
  await expect(hashPassword('beans and peas')).resolves.toContain('$argon2id$')
})

test('answers 503 with Retry-After at once if 50 pages are rendered and 200 wait', async () => {
  const opened = Promise.withResolvers<void>()
  const client = {
    renderPage: async () => {
      await opened.promise
      return new Response('rendered')
    },
    serveFiles: async () => {},
    policy: () => '',
  }
  const metrics = createMetrics()
  const http = await createServer({ log: createLog('silent'), metrics, trustedProxies: [], https: false })
  await servePages(http, client, {
    ...plainSite,
    publicUrl: 'https://rhubarb.test',
    ssr: true,
    https: false,
    tokenBuckets: noTokenBuckets,
    outcomes: metrics.ssr,
    findMember: async () => undefined,
  })
  const statuses: number[] = []
  const all = Array.from({ length: 253 }, async () => {
    const { statusCode, headers } = await http.inject('/listings')
    statuses.push(statusCode)
    if (statusCode === 503) expect(headers['retry-after']).toBe('10')
  })
  await expect.poll(() => statuses).toEqual([503, 503, 503])
  opened.resolve()
  await Promise.all(all)

  expect(statuses.slice(3)).toEqual(Array(250).fill(200))
  await http.close()
})
