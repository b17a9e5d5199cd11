import pg from 'pg'
import { distributeMessages } from '#server/features/messages/distribution.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'

/** Selects statements that drop all tables and functions of the schema `public` but those of extensions. */
const dropsOfPublic = `
  select format('drop table %s cascade', oid::regclass) as statement from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  union all
  select format('drop function %s cascade', oid::regprocedure) from pg_proc
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`

/** Empties the database of a cluster's coordinator, creates the schema in it and distributes messages and threads. */
export async function resetCluster(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema if exists jobs cascade')
  // Not the schema: Citus has views in it, and would be dropped with them.
  const { rows } = await client.query<{ statement: string }>(dropsOfPublic)
  for (const { statement } of rows) await client.query(statement)
  await prepareDatabase(url)
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 60_000 })
  try {
    await distributeMessages(createDb<Tables>(pool))
    // Repeated jobs run only when a test starts them.
    await client.query(`update jobs.version set cron_on = 'infinity'`)
  } finally {
    await pool.end()
    await client.end()
  }
}
