import { sql, type Transaction } from 'kysely'
import type pg from 'pg'

/** The key of the advisory lock, which nothing else uses. */
const lock = 7_283_114_021

/** Prevents the removal of image files until the connection is closed. Waits for running removals. */
export async function lockImages(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lock])
}

/** Returns whether files may be removed, and keeps `lockImages` waiting until the transaction ends. */
export async function mayRemove<Tables>(tx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lock}) as may`.execute(tx)
  return rows[0]?.may === true
}
