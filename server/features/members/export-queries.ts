import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

const pageSize = 1000

/** Reads the rows of a table that refer to the member in a column, without the given columns, in pages. Needs a transaction. */
export async function* readPages(
  tx: Db<Tables>,
  table: string,
  column: string,
  userId: number,
  without: readonly string[],
): AsyncGenerator<Record<string, unknown>[]> {
  await sql`
    declare export_rows no scroll cursor for
    select to_jsonb(t) - ${[...without]}::text[] as row
    from ${sql.table(table)} t
    where ${sql.ref(`t.${column}`)} = ${userId}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      fetch ${sql.lit(pageSize)} from export_rows`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < pageSize) break
  }
  await sql`close export_rows`.execute(tx)
}
