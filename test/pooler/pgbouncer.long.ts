import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getProfile, logOut } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createFixture, roles } from '#test/access/fixture.ts'
import { table } from '#test/access/table.ts'
import type { CallArguments } from '#test/actor.ts'
import { connectTo } from '#test/database.ts'
import { startSteadyLoad } from '#test/failures/load.ts'
import { downloadPgBouncer, startPgBouncer } from '#test/pgbouncer.ts'
import { connectSocket } from '#test/socket-client.ts'
import { startTcpProxy } from '#test/tcp-proxy.ts'
import { newDatabase, newWorld } from '#test/world.ts'

const folder = await mkdtemp(join(tmpdir(), 'rhubarb-pgbouncer-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const command = await downloadPgBouncer(folder)

/** Fewer connections than clients, so that PgBouncer moves clients between connections. */
const twoConnections = { 'default_pool_size = 20': 'default_pool_size = 2' }

/** Opens a world whose node reaches PostgreSQL through PgBouncer, and through a TCP proxy that a test can cut. */
async function newPooledWorld() {
  await using building = new AsyncDisposableStack()
  const opened: {
    link?: Awaited<ReturnType<typeof startTcpProxy>>
    pooler?: Awaited<ReturnType<typeof startPgBouncer>>
  } = {}
  const world = await newWorld({
    registration: true,
    async pooler(databaseUrl) {
      opened.link = building.use(await startTcpProxy(databaseUrl))
      opened.pooler = building.use(await startPgBouncer(command, opened.link.url, twoConnections))
      return opened.pooler.url
    },
  })
  building.use(world)
  const { link, pooler } = opened
  if (!link || !pooler) throw new Error('The world has not started its pooler')
  const stack = building.move()
  return { world, link, pooler, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('every endpoint responds through PgBouncer like without it', async () => {
  await using pooled = await newPooledWorld()
  const fixture = await createFixture(pooled.world)
  for (const { endpoint, target, prepare, expected } of table) {
    for (const role of roles) {
      await fixture.reset()
      const { as = fixture.cast[role], ...input } = await prepare(fixture, role)
      const { status } = await as.fetch(endpoint, ...([input] as CallArguments<Endpoint>))
      expect(status, `${endpoint.method} ${endpoint.path}: ${target}, ${role}`).toBe(expected[role].status)
    }
  }
})

test('sockets, jobs, LISTEN and the first migration work with PgBouncer', async () => {
  await using pooled = await newPooledWorld()
  const { world } = pooled
  await using other = await world.node()
  const [ann, bob] = await world.members('ann', 'bob')
  await world.jobsDone()
  expect(world.mailTo(ann)).toHaveLength(1)

  using annSocket = await connectSocket(ann)
  using bobSocket = await connectSocket(bob)
  expect(await annSocket.send('send_message', { receiver_id: bob.id, content: 'Beans?' })).toMatchObject({
    ok: true,
  })
  await expect.poll(() => bobSocket.received('new_message')).toMatchObject([{ content: 'Beans?' }])

  const elsewhere = other.as(ann)
  await elsewhere.call(getProfile)
  await ann.call(logOut)
  await expect.poll(async () => (await elsewhere.try(getProfile)).status).toBe(401)

  const empty = await newDatabase('template0')
  await using pooler = await startPgBouncer(command, empty.url)
  {
    await using first = await world.node(
      { database: { ...world.config.database, directUrl: empty.url } },
      pooler.url,
    )
    expect(await first.guest().send('GET', '/readyz')).toMatchObject({ status: 200 })
  }
  await pooler.kill()
  await empty.drop()
})

test('loses no acknowledged message when PgBouncer is killed, and recovers without a restart', async () => {
  await using pooled = await newPooledWorld()
  const { world, link, pooler } = pooled
  const members = await world.members('ann', 'bob', 'cas', 'dee')
  const load = await startSteadyLoad(world.url, members, { pauseMs: 20 })
  const ready = async () => (await world.guest().send('GET', '/readyz')).status
  for (let round = 0; round < 3; round += 1) {
    await sleep(1000)
    await pooler.kill()
    await sleep(500)
    await pooler.restart()
    await expect.poll(ready).toBe(200)
    await sleep(1000)
    link.cut()
    await sleep(500)
    link.restore()
    await expect.poll(ready).toBe(200)
  }
  await sleep(1000)
  const before = load.failed.length
  await sleep(1000)
  const { failed, acknowledged } = await load.stop()

  expect(failed.slice(before)).toEqual([])
  expect(failed.filter((failure) => !/: 503$|"status":503/.test(failure))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(20)
  const { rows } = await sql<{ client_id: string }>`
    select client_id from messages where content like 'By socket%'`.execute(world.db)
  const stored = rows.map(({ client_id }) => client_id)
  expect(new Set(stored).size).toBe(stored.length)
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([])
})

test('PgBouncer keeps equal names of prepared statements apart', async () => {
  const database = await newDatabase('template_world')
  {
    await using pooler = await startPgBouncer(command, database.url, {
      'default_pool_size = 20': 'default_pool_size = 1',
    })
    await using one = await connectTo(pooler.url)
    await using two = await connectTo(pooler.url)
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await one.query({ name: 's0', text: 'select 1 as one' })).rows).toEqual([{ one: 1 }])
      expect((await two.query({ name: 's0', text: 'select 2 as two' })).rows).toEqual([{ two: 2 }])
    }
  }
  await database.drop()
})

test.each([
  ['without the settings', { 'set TimeZone = UTC': 'set TimeZone = 3' }, 'TimeZone'],
  [
    'without prepared statements',
    { 'max_prepared_statements = 500': 'max_prepared_statements = 0' },
    'max_prepared_statements',
  ],
])('a node refuses to start with a PgBouncer %s', async (_, changes, named) => {
  await using world = await newWorld()
  await using pooler = await startPgBouncer(command, world.databaseUrl, changes)
  const started = world.node(
    { database: { ...world.config.database, directUrl: world.databaseUrl } },
    pooler.url,
  )

  await expect(started).rejects.toThrow(named)
})
