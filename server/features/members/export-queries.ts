import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/tables.ts'

const pageSize = 1000

/** A condition on the rows `t` of a table. */
type Condition = RawBuilder<unknown>

/** Selects the rows that refer to the member in a column. */
export function refersTo(column: string, userId: number): Condition {
  return sql`${sql.ref(`t.${column}`)} = ${userId}`
}

/** Selects the photos of messages that the member has received. */
export function isReceivedPhoto(userId: number): Condition {
  return sql`t.message_id in (select id from messages where receiver_id = ${userId})`
}

/** Reads the rows of a table that meet the condition, without the given columns, in pages. Needs a transaction for its cursor. */
export async function* readPages(
  tx: Db,
  table: string,
  condition: Condition,
  without: readonly string[],
): AsyncGenerator<Record<string, unknown>[]> {
  await sql`
    declare export_rows no scroll cursor for
    select to_jsonb(t) - ${[...without]}::text[] as row
    from ${sql.table(table)} t
    where ${condition}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      fetch ${sql.lit(pageSize)} from export_rows`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < pageSize) break
  }
  await sql`close export_rows`.execute(tx)
}
