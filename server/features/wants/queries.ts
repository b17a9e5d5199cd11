import { type Insertable, sql } from 'kysely'
import { me, unseenBy } from '#server/features/visibility/members.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row, Tables } from '#server/tables.ts'

export type WantRow = Pick<Row<'wants'>, 'id' | 'title' | 'category_id'>

/** A want with its owner. */
export interface OwnedRow extends WantRow {
  user_id: number
}

/** Selects wants, without those of suspended members and members with a block between them and the caller. */
function selectWants(db: Db, caller: number) {
  return db
    .selectFrom([me(caller), 'wants as w'])
    .select(['w.id', 'w.user_id', 'w.title', 'w.category_id'])
    .where('w.user_id', 'not in', sql.raw<number>(`(${unseenBy('me.id')})`))
}

/** Returns a member's wants that the caller may see, oldest first. */
export function listWantsOf(db: Db, caller: number, userId: number): Promise<OwnedRow[]> {
  return selectWants(db, caller).where('w.user_id', '=', userId).orderBy('w.id').execute()
}

/** Returns those of the wants that the caller may see. */
export function findWants(db: Db, caller: number, ids: readonly number[]): Promise<OwnedRow[]> {
  return selectWants(db, caller).where('w.id', '=', anyOf(ids)).execute()
}

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

/** Sets the location of a member's wants. */
export async function updateWantPlaces(tx: Db, member: number, postal_code_id: number): Promise<void> {
  await tx.updateTable('wants').set({ postal_code_id }).where('user_id', '=', member).execute()
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
