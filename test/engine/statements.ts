import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'

/** The distinct statements that PostgreSQL ran, with the constants replaced by parameters. */
export interface RanStatements {
  /** The migrations of Rhubarb and of pg-boss. */
  readonly migrations: readonly string[]
  /** All others, those of the tests themselves included. */
  readonly others: readonly string[]
}

const file = join(import.meta.dirname, '..', '..', '.cache', 'statements.json')

/** Settings of the server for `saveStatements`. `max` is above the number of databases times their statements. */
export const recordingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '100000',
  'pg_stat_statements.save': 'off',
}

/** Stores the statements that a server has run on all its databases, in a file for `check.ts`. */
export async function saveStatements(url: string): Promise<void> {
  const database = new URL(url)
  database.pathname = '/postgres'
  const client = new pg.Client({ connectionString: database.href })
  await client.connect()
  try {
    const { rows: info } = await client.query<{ dealloc: string }>(
      'select dealloc from pg_stat_statements_info',
    )
    if (info[0]?.dealloc !== '0') throw new Error('pg_stat_statements.max is too low: statements were lost.')
    const { rows } = await client.query<{ query: string; migration: boolean }>(
      `select query, coalesce(bool_or(datname = 'template_world'), false) as migration
       from pg_stat_statements left join pg_database on pg_database.oid = dbid
       where query is not null group by query`,
    )
    const textsOf = (migration: boolean) =>
      rows.filter((row) => row.migration === migration).map(({ query }) => query)
    const ran: RanStatements = { migrations: textsOf(true), others: textsOf(false) }
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(ran))
  } finally {
    await client.end()
  }
}

export async function readStatements(): Promise<RanStatements> {
  return JSON.parse(await readFile(file, 'utf8'))
}
