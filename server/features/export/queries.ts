import { type RawBuilder, sql } from 'kysely'
import { isLegWithheld, isVisibleTo } from '#server/features/visibility/listings.ts'
import type { Db } from '#server/tables.ts'

const pageSize = 1000

const isVisibleToMe = sql.raw(isVisibleTo('me.id'))

/** A condition on the rows `t` of a table. */
export type Condition = RawBuilder<unknown>

/** Selects the rows that refer to the member in a column. */
export function refersTo(column: string, userId: number): Condition {
  return sql`${sql.ref(`t.${column}`)} = ${userId}`
}

/** Selects the messages to the member without those that the desk has withdrawn. */
export function isDelivered(userId: number): Condition {
  return sql`${refersTo('receiver_id', userId)} and not t.is_withdrawn`
}

/** Selects the member's photos and those of messages to the member. */
export function isOwnOrReceivedPhoto(userId: number): Condition {
  return sql`t.id in (
    with m as materialized (select id from messages where receiver_id = ${userId} and has_images and not is_withdrawn)
    select id from images where owner_id = ${userId} union all select i.id from m join images i on i.message_id = m.id)`
}

/** Selects the member's friendships, except declined requests of the member. */
export function isShownFriendship(column: 'low_id' | 'high_id') {
  return (userId: number): Condition =>
    sql`${refersTo(column, userId)} and not (t.status = 'rejected' and t.requester_id = ${userId})`
}

/** Selects the member's rows without a listing and those whose listing the member may see. */
export function hasVisibleListing(userId: number): Condition {
  return sql`t.user_id = ${userId} and (t.listing_id is null or exists (
    select from listings l, (select ${userId}::bigint as id) me where l.id = t.listing_id and ${isVisibleToMe}))`
}

/** Columns that rows `t` lack for the member `me` if a condition holds. */
export interface WithheldColumns {
  readonly columns: readonly string[]
  readonly when: string
}

/** The member, in a statement of `readPages`. */
const me = '(select id from me)'

/** Withholds the copy of a listing that a trade keeps while the operator withholds the listing. */
export const withheldLeg: WithheldColumns = {
  columns: ['title', 'drawing', 'unit'],
  when: isLegWithheld('t', me),
}
export const withheldThanks: WithheldColumns = {
  columns: ['listing_title'],
  when: `exists (select from trade_legs leg where leg.trade_id = t.trade_id and ${isLegWithheld('leg', me)})`,
}

interface Rows {
  readonly table: string
  readonly condition: Condition
  /** The columns to leave out. */
  readonly without: readonly string[]
  readonly withheld?: WithheldColumns | undefined
}

/** Reads rows of a table for a member, in pages. Needs a transaction for its cursor. */
export async function* readPages(
  tx: Db,
  userId: number,
  { table, condition, without, withheld = { columns: [], when: 'false' } }: Rows,
): AsyncGenerator<Record<string, unknown>[]> {
  await sql`
    declare export_rows no scroll cursor for
    with me as materialized (select ${userId}::bigint as id)
    select to_jsonb(t) - ${[...without]}::text[]
      - case when ${sql.raw(withheld.when)} then ${[...withheld.columns]}::text[] else '{}' end as row
    from ${sql.table(table)} t where ${condition}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      fetch ${sql.lit(pageSize)} from export_rows`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < pageSize) break
  }
  await sql`close export_rows`.execute(tx)
}
