import { type QueryRunner, rowStatement, statement } from '#server/platform/db/database.ts'

/** Longer than a usable replica lags, and than a read waits for a connection. */
const recent = `interval '10 seconds'`

/** Only inserts, because rows that are updated could cause deadlocks. */
const insert = statement<[members: readonly number[]], object>(
  'insert into recent_writes (user_id, written_at) select id, clock_timestamp() from unnest($1::bigint[]) w (id)',
)

export async function insertRecentWrites(db: QueryRunner, members: readonly number[]): Promise<void> {
  await insert(db, members)
}

const find = rowStatement<[member: number], object>(
  `select from recent_writes where user_id = $1 and written_at > now() - ${recent} limit 1`,
)

export async function hasRecentWrite(db: QueryRunner, member: number): Promise<boolean> {
  return (await find(db, member)) !== undefined
}

const deleteOld = statement<[], object>(`delete from recent_writes where written_at <= now() - ${recent}`)

export async function deleteOldWrites(db: QueryRunner): Promise<void> {
  await deleteOld(db)
}
