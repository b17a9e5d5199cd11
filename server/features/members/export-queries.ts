import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** The rows of a table that name the member in a column, without the columns that are secret. */
export async function listRowsNaming(
  db: Db<Tables>,
  table: string,
  column: string,
  userId: number,
  without: readonly string[],
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) - ${[...without]}::text[] as row
    from ${sql.table(table)} t
    where ${sql.ref(`t.${column}`)} = ${userId}`.execute(db)
  return rows.map(({ row }) => row)
}
