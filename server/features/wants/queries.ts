import { type Insertable, sql } from 'kysely'
import { isUnblocked } from '#server/features/members/blocks.ts'
import { statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables } from '#server/tables.ts'

export type WantRow = Pick<Row<'wants'>, 'id' | 'title' | 'category_id'>

/** Returns a member's wants, oldest first, or none if the member is suspended or there is a block between the two. */
export const listWantsOf = statement<[caller: number, userId: number], WantRow>(
  `select w.id, w.title, w.category_id from wants w
   join users u on u.id = w.user_id
   where w.user_id = $2 and u.suspended_at is null and ${isUnblocked('$1', '$2')}
   order by w.id`,
)

/** A want with its owner. */
export interface OwnedRow extends WantRow {
  user_id: number
}

/** Returns those of the wants that the caller may see. */
export const findWants = statement<[caller: number, ids: readonly number[]], OwnedRow>(
  `select w.id, w.user_id, w.title, w.category_id from wants w
   join users u on u.id = w.user_id
   where w.id = any ($2) and u.suspended_at is null and ${isUnblocked('$1', 'w.user_id')}`,
)

/** Locks the member's want list until the transaction ends. Rows that refer to the member are not blocked. */
export async function lockWantList(tx: Db, userId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function insertWants(
  tx: Db,
  wants: readonly Insertable<Tables['wants']>[],
): Promise<OwnedRow[]> {
  if (wants.length === 0) return []
  return tx
    .insertInto('wants')
    .values([...wants])
    .returning(['id', 'user_id', 'title', 'category_id'])
    .execute()
}

/** Renames wants, which makes their index terms outdated. */
export async function updateWantTitles(tx: Db, titles: ReadonlyMap<number, string>): Promise<void> {
  if (titles.size === 0) return
  await sql`
    update wants set title = renamed.title, terms_version = 0, updated_at = now()
    from unnest(${[...titles.keys()]}::bigint[], ${[...titles.values()]}::text[]) as renamed (id, title)
    where wants.id = renamed.id`.execute(tx)
}

export async function deleteWants(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('wants').where('id', '=', anyOf(ids)).execute()
}
