import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

const rowsAPage = 1000

/** In a transaction: the rows of a table that name the member in a column, without the columns that are secret, page by page. */
export async function* pagesNaming(
  tx: Db<Tables>,
  table: string,
  column: string,
  userId: number,
  without: readonly string[],
): AsyncGenerator<Record<string, unknown>[]> {
  await sql`
    declare naming no scroll cursor for
    select to_jsonb(t) - ${[...without]}::text[] as row
    from ${sql.table(table)} t
    where ${sql.ref(`t.${column}`)} = ${userId}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      fetch ${sql.lit(rowsAPage)} from naming`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < rowsAPage) break
  }
  await sql`close naming`.execute(tx)
}
