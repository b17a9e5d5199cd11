import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { prepareDatabase } from '#server/start.ts'
import { newDatabase, newWorld } from '#test/world.ts'
import { createPool } from './database.ts'
import { type MigrateOptions, migrate } from './migrate.ts'

/** Every table, column and index there is, with the migrations that are written down. */
async function schemaOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const columns = `select table_schema, table_name, column_name, data_type from information_schema.columns
    where table_schema in ('public', 'jobs') order by 1, 2, 3`
  const indexes = `select indexdef from pg_indexes where schemaname = 'public' order by 1`
  const migrations = 'select name from kysely_migration order by 1'
  try {
    const found = []
    for (const query of [columns, indexes, migrations]) found.push((await client.query(query)).rows)
    return found
  } finally {
    await client.end()
  }
}

test('two nodes that start at once on an empty database both come up, on one schema', async () => {
  const database = await newDatabase('template0')
  await using world = await newWorld()
  const nodes = await Promise.all([world.node({}, database.url), world.node({}, database.url)])
  try {
    const [one, other] = nodes
    const ann = one.guest()
    await ann.join({ username: 'ann' })

    expect(await other.meet(ann).call(getProfile)).toEqual(ann.profile)
    expect(await schemaOf(database.url)).toEqual(await schemaOf(world.databaseUrl))
  } finally {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
    await database.drop()
  }
})

test('preparing a database that is prepared changes nothing, however many do it', async () => {
  await using world = await newWorld()
  const [ann] = await world.members('ann')
  const before = await schemaOf(world.databaseUrl)
  await Promise.all([1, 2, 3].map(() => prepareDatabase(world.databaseUrl)))

  expect(await schemaOf(world.databaseUrl)).toEqual(before)
  expect(await ann.call(getProfile)).toEqual(ann.profile)
})

/** An empty database with a folder of migrations of its own, and somebody else who is connected to it. */
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
  const ask = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows.map(([one]) => one)
  return {
    other,
    ask,
    /** What statements like this wait for. */
    waiting: (like: string) =>
      ask(
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

test('a migration that gets no lock gives up soon, lets the others go on, and comes back', async () => {
  await using schema = await newSchema(beds)
  await schema.migrate()
  await schema.write({ '0002_soil': 'alter table beds add column soil text' })
  await schema.other.query('begin; update beds set name = $$north$$')

  const hurried = await schema.migrate({ lockTimeoutMs: 50, tries: 2 }).catch((error) => error)
  expect(hurried).toMatchObject({ code: '55P03' })
  const patient = schema.migrate({ lockTimeoutMs: 50 })
  await expect.poll(() => schema.waiting('alter table beds%'), { timeout: 10_000 }).toEqual(['Lock'])
  await schema.other.query('commit')

  expect(await patient).toEqual(['0002_soil'])
  expect(await schema.ask('select name from beds where soil is null')).toEqual(['north'])
})

test('an index of a large table is made outside a transaction, while others write, also after a try that was broken off', async () => {
  await using schema = await newSchema(beds)
  await schema.migrate()
  await schema.other.query(`insert into beds select n, 'same' from generate_series(2, 9) n`)
  await expect(
    schema.other.query('create unique index concurrently beds_name on beds (name)'),
  ).rejects.toThrow()
  expect(
    await schema.ask('select indisvalid from pg_index where indexrelid = $$beds_name$$::regclass'),
  ).toEqual([false])
  await schema.write({
    '0002_beds_name':
      '-- outside a transaction\n-- Serves nothing.\ncreate index concurrently if not exists beds_name on beds (name)',
  })
  await schema.other.query('begin; update beds set name = $$mine$$ where id = 1')

  const both = [schema.migrate(), schema.migrate()]
  await expect.poll(() => schema.waiting('%index concurrently%'), { timeout: 10_000 }).toEqual(['Lock'])
  await schema.other.query('update beds set name = $$yours$$ where id = 1; commit')

  expect((await Promise.all(both)).flat()).toEqual(['0002_beds_name'])
  expect(
    await schema.ask('select indisvalid from pg_index where indexrelid = $$beds_name$$::regclass'),
  ).toEqual([true])
})

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  await using schema = await newSchema({
    ...beds,
    '0002_broken': 'create table paths (id int); select nonsense;',
  })

  await expect(schema.migrate()).rejects.toThrow('nonsense')
  expect(await schema.ask('select name from kysely_migration')).toEqual(['0001_beds'])
  expect(await schema.ask("select to_regclass('paths')")).toEqual([null])
})

test('the version before starts on what a newer one has added, and not on what no version knows', async () => {
  await using schema = await newSchema({ ...beds, '0003_paths': 'create table paths (id int)' })
  expect(await schema.migrate({ upTo: '0001_beds' })).toEqual(['0001_beds'])
  await schema.other.query("insert into kysely_migration values ('0004_newer', '')")
  expect(await schema.migrate()).toEqual(['0003_paths'])
  expect(await schema.migrate()).toEqual([])

  await schema.other.query("insert into kysely_migration values ('0002_stranger', '')")
  await schema.write({ '0005_sheds': 'create table sheds (id int)' })
  await expect(schema.migrate()).rejects.toThrow('0002_stranger')
})
