import type pg from 'pg'

/** An advisory lock that a backup holds while it copies the files. No other code uses the key. */
export const lockKey = 7_283_114_021

/** Prevents the removal of image files until the connection is closed. Waits for running removals. */
export async function lockImages(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lockKey])
}
