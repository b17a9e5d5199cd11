import { sql, type Transaction } from 'kysely'
import type pg from 'pg'

/** An advisory lock that a backup holds while it copies the files. No other code uses the key. */
const lockKey = 7_283_114_021

/** Prevents the removal of image files until the connection is closed. Waits for running removals. */
export async function lockImages(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lockKey])
}

/** Returns whether files may be removed, and keeps `lockImages` waiting until the transaction ends. */
export async function mayRemoveImages<Tables>(tx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lockKey}) as may`.execute(tx)
  return rows[0]?.may === true
}
