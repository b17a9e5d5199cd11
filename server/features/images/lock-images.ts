import { sql, type Transaction } from 'kysely'
import type pg from 'pg'

/** Any number, as long as nothing else takes it. */
const lock = 7_283_114_021

/** From now on, as long as the connection lives, no file of an image that has a row is removed. Waits for another who holds them. */
export async function lockImages(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lock])
}

/** Whether files may go; until the transaction ends nobody holds them. */
export async function mayRemove<Tables>(tx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lock}) as may`.execute(tx)
  return rows[0]?.may === true
}
