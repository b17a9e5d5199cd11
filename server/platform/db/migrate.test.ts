import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { prepareDatabase } from '#server/start.ts'
import { compileCache } from '#test/bare-server.ts'
import { longTest } from '#test/long.ts'
import { newDatabase, newWorld } from '#test/world.ts'
import { OperatorError } from '../errors.ts'
import { createPool } from './database.ts'
import { type MigrateOptions, migrate } from './migrate.ts'

const serverMain = join(import.meta.dirname, '..', '..', 'main.ts')

/** Returns every column and index of a database, and the migrations that were run on it. */
async function schemaOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = `select table_schema, table_name, column_name, data_type from information_schema.columns
    where table_schema in ('public', 'jobs') order by 1, 2, 3`
  const indexes = `select indexdef from pg_indexes where schemaname = 'public' order by 1`
  const migrations = 'select name from kysely_migration order by 1'
  try {
    const rows = []
    for (const query of [columns, indexes, migrations]) rows.push((await client.query(query)).rows)
    return rows
  } finally {
    await client.end()
  }
}

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('two nodes that start concurrently on an empty database create one schema', async () => {
  const database = await newDatabase('template0')
  const nodes = await Promise.all([world.node({}, database.url), world.node({}, database.url)])
  try {
    const [first, second] = nodes
    const ann = first.guest()
    await ann.join({ username: 'ann' })

    expect(await second.as(ann).call(getProfile)).toEqual(ann.profile)
    expect(await schemaOf(database.url)).toEqual(await schemaOf(world.databaseUrl))
  } finally {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
    await database.drop()
  }
})

test('preparing a database again changes nothing', async () => {
  const [ann] = await world.members('ann')
  const before = await schemaOf(world.databaseUrl)
  await Promise.all([1, 2].map(() => prepareDatabase(world.databaseUrl)))

  expect(await schemaOf(world.databaseUrl)).toEqual(before)
  expect(await ann.call(getProfile)).toEqual(ann.profile)
})

/** Creates an empty database, a folder of migrations and a second connection. */
async function newSchema(files: Readonly<Record<string, string>>) {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'rhubarb-migrations-')))
  const write = (more: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(more).map(([name, text]) => writeFile(join(folder.path, `${name}.sql`), text)))
  await write(files)
  const database = await newDatabase('template0')
  stack.defer(() => database.drop())
  const pool = createPool({ url: database.url, pool: 4, statementTimeoutMs: 5000 })
  stack.defer(() => pool.end())
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  stack.defer(() => other.end())
  const query = async (text: string) =>
    (await pool.query({ text, rowMode: 'array' })).rows.map(([value]) => value)
  return {
    url: database.url,
    other,
    query,
    /** Returns the types of the events that statements like this wait for. */
    waiting: (like: string) =>
      query(
        `select wait_event_type from pg_stat_activity where query like '${like}' and pid <> pg_backend_pid()`,
      ),
    write,
    migrate: (options?: MigrateOptions) => migrate(database.url, folder.path, options),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const beds = {
  '0001_beds': 'create table beds (id int primary key, name text); insert into beds values (1);',
}

test('a migration that gets no lock does not block other queries and is retried', async () => {
  await using schema = await newSchema(beds)
  await schema.migrate()
  await schema.write({ '0002_soil': 'alter table beds add column soil text' })
  await schema.other.query('begin; update beds set name = $$north$$')

  await expect(schema.migrate({ lockTimeoutMs: 50, attempts: 2 })).rejects.toMatchObject({ code: '55P03' })
  const retried = schema.migrate({ lockTimeoutMs: 50 })
  await expect.poll(() => schema.waiting('alter table beds%'), { timeout: 10_000 }).toEqual(['Lock'])
  await schema.other.query('update beds set name = $$south$$; commit')

  expect(await retried).toEqual(['0002_soil'])
  expect(await schema.query('select name from beds where soil is null')).toEqual(['south'])
})

test('nodes that migrate concurrently run each migration once, despite the lock timeout', async () => {
  await using schema = await newSchema({ ...beds, '0002_slow': 'select pg_sleep(0.5)' })

  const ran = await Promise.all([1, 2, 3].map(() => schema.migrate({ lockTimeoutMs: 50, attempts: 1 })))
  expect(ran.flat()).toEqual(['0001_beds', '0002_slow'])
})

test('a failed migration rolls back all migrations of its run', async () => {
  await using schema = await newSchema(beds)
  await schema.migrate()
  await schema.write({
    '0002_paths': 'create table paths (id int)',
    '0003_broken': 'create table sheds (id int); select nonsense;',
  })

  await expect(schema.migrate()).rejects.toThrow('nonsense')
  expect(await schema.query('select name from kysely_migration')).toEqual(['0001_beds'])
  expect(await schema.query("select coalesce(to_regclass('paths'), to_regclass('sheds'))")).toEqual([null])
})

test('ignores migrations of a newer version', async () => {
  await using schema = await newSchema({ ...beds, '0002_paths': 'create table paths (id int)' })
  expect(await schema.migrate({ upTo: '0001_beds' })).toEqual(['0001_beds'])
  expect(await schema.migrate()).toEqual(['0002_paths'])
  await schema.other.query(
    `insert into kysely_migration values ('0003_newer', '${new Date().toISOString()}')`,
  )

  expect(await schema.migrate()).toEqual([])
})

/** Creates a database with a migration from before the first release. */
async function newOldSchema() {
  const schema = await newSchema(beds)
  await schema.migrate()
  await schema.other.query("update kysely_migration set name = '0001_members_listings'")
  return schema
}

test('refuses a database from before the first release', async () => {
  await using schema = await newOldSchema()
  await expect(prepareDatabase(schema.url)).rejects.toThrow(
    /^The database has the migration 0001_members_listings,/,
  )
})

longTest('a server does not start on a database from before the first release', {}, async () => {
  await using schema = await newOldSchema()
  const start = promisify(execFile)(process.execPath, [serverMain], {
    env: { ...compileCache, DATABASE_URL: schema.url, PORT: '0', METRICS_PORT: 'off', LOG_LEVEL: 'silent' },
  })
  await expect(start).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /could not start\.\nThe database has the migration 0001_members_listings,.*\n$/,
    ),
  })
})

test.each<[fault: string, change: Partial<URL>, reason: RegExp]>([
  ['a wrong password', { password: 'wrong' }, /password authentication failed/],
  ['a missing database', { pathname: '/nothing' }, /database "nothing" does not exist/],
  ['nothing at its port', { port: '9' }, /ECONNREFUSED/],
])('says what to do for a database with %s', async (_, change, reason) => {
  const url = Object.assign(new URL(world.databaseUrl), change)
  const start = world.node({}, url.href)
  await expect(start).rejects.toThrow(OperatorError)
  await expect(start).rejects.toThrow(reason)
  await expect(start).rejects.toThrow('correct DATABASE_URL and DATABASE_PASSWORD')
})
