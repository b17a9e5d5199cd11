import { mkdtempDisposable, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile, logIn } from '#contract/auth.ts'
import { listListings } from '#contract/listing-queries.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { allEndpoints } from '#test/endpoints.ts'
import { refusalViolation } from '#test/failures/failures.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'
import { newWorld } from '#test/world.ts'
import { serveHealth } from './health.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('a running node is live and ready', async () => {
  const guest = world.guest()

  expect(await guest.send('GET', '/livez')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await guest.send('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('returns 503 with Retry-After while the database is unreachable, and recovers', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await using link = await startTcpProxy(world.databaseUrl)
  await using node = await world.node({}, link.url)
  const annThere = node.as(ann)
  await annThere.call(getProfile)
  link.cut()

  const login = { body: { username: ann.email, password: ann.password } }
  for (const request of [
    () => annThere.try(getProfile),
    () => annThere.try(listListings, { query: {} }),
    () => node.guest().try(logIn, login),
    () =>
      node
        .guest()
        .send('GET', '/api/auth/profile', { headers: { authorization: `Bearer ${'A'.repeat(43)}` } }),
  ]) {
    const { status, headers, body } = await request()
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({
      detail: 'The service is taking a short break. Please try again in a moment.',
    })
  }
  const endpoints = await allEndpoints()
  const violations = await Promise.all(endpoints.map((endpoint) => refusalViolation(annThere, endpoint)))
  expect(violations.filter((violation) => violation !== undefined)).toEqual([])
  const ready = await node.guest().send('GET', '/readyz')
  expect(ready).toMatchObject({ status: 503 })
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await node.guest().send('GET', '/livez')).toMatchObject({ status: 200 })

  link.restore()
  await expect.poll(() => node.guest().send('GET', '/readyz')).toMatchObject({ status: 200 })
  expect(await annThere.call(getProfile)).toEqual(ann.profile)
  expect(await node.guest().try(logIn, login)).toMatchObject({ status: 200 })
})

test('a node receives notifications of logouts after it reconnects to the database', async () => {
  await using link = await startTcpProxy(world.databaseUrl)
  await using node = await world.node({}, link.url)
  link.cut()
  link.restore()
  await expect.poll(() => node.guest().send('GET', '/readyz')).toMatchObject({ status: 200 })
  await expect.poll(() => world.listeners(), { timeout: 10_000 }).toBe(2)

  const [ann] = await world.uniqueMembers('ann')
  const elsewhere = node.as(ann)
  await elsewhere.call(getProfile)
  await ann.send('POST', '/api/auth/logout')
  expect(await elsewhere.try(getProfile)).toMatchObject({ status: 401 })
})

test('ends statements after the statement timeout', async () => {
  const [ann] = await world.uniqueMembers('ann')
  await using node = await world.node({
    database: { ...world.config.database, statementTimeoutMs: 200 },
  })
  const annThere = node.as(ann)
  const status = await world.db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', ann.id).forUpdate().execute()
    const form = new FormData()
    form.append('city', 'Ghent')
    return (await annThere.send('POST', '/api/auth/upload-profile-image', { body: form })).status
  })

  expect(status).toBeGreaterThanOrEqual(500)
  expect(await annThere.call(getProfile)).toMatchObject({ city: null })
})

test('times out when the database does not answer, and drops its late responses', async () => {
  const [ann, bea] = await world.uniqueMembers('ann', 'bea')
  await using link = await startTcpProxy(world.databaseUrl)
  await using node = await world.node(
    { database: { ...world.config.database, statementTimeoutMs: 200 } },
    link.url,
  )
  const [annThere, beaThere] = [node.as(ann), node.as(bea)]
  const profiles = () => Promise.all([annThere.call(getProfile), beaThere.call(getProfile)])
  await profiles()
  link.stall()

  const form = () => {
    const body = new FormData()
    body.append('city', 'Ghent')
    return { body }
  }
  const responses = await Promise.all([
    annThere.try(getProfile),
    beaThere.try(listListings, { query: {} }),
    annThere.send('POST', '/api/auth/upload-profile-image', form()),
    node.guest().send('GET', '/readyz'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503])

  link.restore()
  await expect.poll(() => node.guest().send('GET', '/readyz')).toMatchObject({ status: 200 })
  expect(await profiles()).toMatchObject([{ username: ann.username }, { username: bea.username }])
})

/** Terminates a connection like PostgreSQL does when it stops. */
async function terminate(pid: number | undefined) {
  await sql`select pg_terminate_backend(${pid}::int, 5000)`.execute(world.db)
}

async function pidOf(db: typeof world.db) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid
}

// An unhandled error event would end the process.
test('a lost connection fails only its transaction, whether idle or in a query', async () => {
  const whileIdle = world.db.transaction().execute(async (tx) => {
    await terminate(await pidOf(tx))
    await sql`select 1`.execute(tx)
  })
  await expect(whileIdle).rejects.toThrow()

  const duringQuery = world.db.transaction().execute(async (tx) => {
    const pid = await pidOf(tx)
    const query = sql`select pg_sleep(20)`.execute(tx)
    await Promise.all([terminate(pid), expect(query).rejects.toThrow()])
    await query
  })
  await expect(duringQuery).rejects.toThrow()

  expect(await pidOf(world.db)).toEqual(expect.any(Number))
})

test('is not ready while PostgreSQL can not write to its disk, though it can read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'rhubarb-health-'))
  const settings = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' }
  const postgres = await startEmbeddedPostgres({ folder: join(folder.path, 'postgres'), settings })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 }).on('error', () => {})
  try {
    const http = fastify()
    serveHealth(http, pool)
    const readiness = async () => (await http.inject('/readyz')).statusCode
    expect(await readiness()).toBe(200)

    // Stands for a full disk: files of exported snapshots are the ones that PostgreSQL creates here.
    const snapshots = join(folder.path, 'postgres', 'cluster', 'pg_snapshots')
    await rename(snapshots, `${snapshots}-away`)
    expect((await pool.query('select 1')).rowCount).toBe(1)
    expect(await readiness()).toBe(503)
    await rename(`${snapshots}-away`, snapshots)
    expect(await readiness()).toBe(200)
  } finally {
    await pool.end()
    await postgres.stop()
  }
})
