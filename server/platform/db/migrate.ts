import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

interface Migration {
  readonly name: string
  readonly text: string
  /** What may not be in a transaction: `create index concurrently`. */
  readonly isAlone: boolean
}

export interface MigrateOptions {
  /** The last to run; usually all there are. */
  readonly upTo?: string | undefined
  /** How long a migration may hold up the rows' readers and writers while it waits for a lock they hold. */
  readonly lockTimeoutMs?: number
  /** How often one that got no lock is tried. */
  readonly tries?: number
}

/** The first line of a file that holds one statement outside a transaction. */
const alone = '-- outside a transaction'
/** Any number, as long as nothing else takes it. */
const advisoryLock = 7_283_114_020
const askAgainMs = 200
const longestPauseMs = 5000
const retried = new Set(['55P03', '40P01'])

/**
 * Brings the database to the newest schema: plain forward-only SQL files, in the order of their names, each once and in a
 * transaction of its own. A migration never waits long for a lock, as everybody else would wait behind it: it gives up
 * and comes back. Nodes that start at the same moment take turns, so all may call it. What a newer version has added
 * is left alone, so that this one can start beside it.
 * Returns the names of the migrations it ran; throws what PostgreSQL said of the one that failed.
 */
export async function migrate(url: string, folder: string, options: MigrateOptions = {}): Promise<string[]> {
  const known = await readMigrations(folder)
  const wanted = known.filter(({ name }) => options.upTo === undefined || name <= options.upTo)
  const client = new pg.Client({
    connectionString: url,
    application_name: 'rhubarb migrations',
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    if (missing(wanted, await listDone(client)).length === 0) return []
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await takeTurn(client)
    await client.query(
      'create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
    )
    const done = await listDone(client)
    refuseStrangers(known, done)
    const todo = missing(wanted, done)
    for (const migration of todo) await runPatiently(client, migration, options)
    return todo.map(({ name }) => name)
  } finally {
    // With the connection goes the lock.
    await client.end()
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return { name: file.replace(/\.sql$/, ''), text, isAlone: text.startsWith(alone) }
    }),
  )
}

/** The names in the table that Kysely made when it ran the migrations. */
async function listDone(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query("select to_regclass('kysely_migration') as found")
  if (!tables[0]?.found) return []
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

function missing(wanted: readonly Migration[], done: readonly string[]): Migration[] {
  const names = new Set(done)
  return wanted.filter(({ name }) => !names.has(name))
}

/** What comes after all that is known is a newer version's; anything else is another program's database, or another branch's. */
function refuseStrangers(known: readonly Migration[], done: readonly string[]) {
  const newest = known.at(-1)?.name ?? ''
  const names = new Set(known.map(({ name }) => name))
  const stranger = done.find((name) => name < newest && !names.has(name))
  if (stranger !== undefined)
    throw new Error(`The database has the migration ${stranger}, which this version does not know`)
}

/** Asks for the lock again and again: one that waited for it would hold up `create index concurrently`, which waits for all. */
async function takeTurn(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [advisoryLock])
    if (rows[0]?.mine) return
    await sleep(askAgainMs)
  }
}

async function runPatiently(
  client: pg.Client,
  migration: Migration,
  { lockTimeoutMs = 1000, tries = 30 }: MigrateOptions,
) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (migration.isAlone) return await runAlone(client, migration)
      return await runInTransaction(client, migration, lockTimeoutMs)
    } catch (error) {
      const passing = error instanceof pg.DatabaseError && retried.has(error.code ?? '')
      if (!passing || attempt >= tries) throw error
      await sleep(Math.min(lockTimeoutMs * attempt, longestPauseMs))
    }
  }
}

async function runInTransaction(client: pg.Client, { name, text }: Migration, lockTimeoutMs: number) {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(text)
    await insertDone(client, name)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** It waits for whoever holds a row at the moment, and holds up nobody. A try that was broken off leaves an index of no use. */
async function runAlone(client: pg.Client, { name, text }: Migration) {
  const { rows } = await client.query<{ index: string }>(
    `select format('%I.%I', n.nspname, c.relname) as index from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where not i.indisvalid and n.nspname = current_schema()`,
  )
  for (const { index } of rows) await client.query(`drop index concurrently if exists ${index}`)
  await client.query(text)
  await insertDone(client, name)
}

async function insertDone(client: pg.Client, name: string) {
  await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
    name,
    new Date().toISOString(),
  ])
}
