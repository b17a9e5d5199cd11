import pg from 'pg'
import { distributeMessages } from '#server/features/messages/distribution.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'

/** Empties the database of a cluster's coordinator, creates the schema in it and distributes messages and threads. */
export async function resetCluster(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const schema of ['public', 'jobs']) await client.query(`drop schema if exists ${schema} cascade`)
  await client.query('create schema public')
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
