import { existsStatement, statement } from '#server/platform/db/database.ts'

/** Longer than a usable replica lags, and than a read waits for a connection. */
const recent = `interval '10 seconds'`

/** Only inserts, because rows that are updated could cause deadlocks. */
export const insertRecentWrites = statement<[members: readonly number[]], object>(
  'insert into recent_writes (user_id, written_at) select id, clock_timestamp() from unnest($1::bigint[]) w (id)',
)

export const hasRecentWrite = existsStatement<[member: number]>(
  `select from recent_writes where user_id = $1 and written_at > now() - ${recent} limit 1`,
)

export const deleteOldWrites = statement<[], object>(
  `delete from recent_writes where written_at <= now() - ${recent}`,
)
