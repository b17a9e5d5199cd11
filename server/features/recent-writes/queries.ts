import { sql } from 'kysely'
import { deleteInBatches, statement } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** Longer than a usable replica lags, and than a read waits for a connection. */
const recent = `interval '10 seconds'`

/** Only inserts, because rows that are updated could cause deadlocks. */
export const insertRecentWrites = statement<[members: readonly number[]], object>(
  'insert into recent_writes (user_id, written_at) select id, clock_timestamp() from unnest($1::bigint[]) w (id)',
)

const recentWrite = statement<[member: number], object>(
  `select from recent_writes where user_id = $1 and written_at > now() - ${recent} limit 1`,
)

export async function hasRecentWrite(db: Db, member: number): Promise<boolean> {
  return (await recentWrite(db, member)).length > 0
}

export async function deleteOldWrites(db: Db): Promise<void> {
  await deleteInBatches(db, 'recent_writes', sql`written_at <= now() - ${sql.raw(recent)}`)
}
