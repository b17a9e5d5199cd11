import { type Insertable, sql } from 'kysely'
import type { CategoryId } from '#contract/constants.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

export interface WantRow {
  id: number
  title: string
  category_id: CategoryId | null
}

const listOf = statement<[user: number], WantRow>(
  `select w.id, w.title, w.category_id from wants w
   join users u on u.id = w.user_id
   where w.user_id = $1 and u.suspended_at is null
   order by w.id`,
)

/** A member's wish list in the order in which it was written; that of a suspended member is empty, as that of nobody. */
export function listWantsOf(db: Db<Tables>, userId: number): Promise<WantRow[]> {
  return listOf(db, userId)
}

export interface OwnedRow extends WantRow {
  user_id: number
}

/** Of these ids, the wants of members who are not suspended. */
export async function findWants(db: Db<Tables>, ids: readonly number[]): Promise<OwnedRow[]> {
  const { rows } = await sql<OwnedRow>`
    select w.id, w.user_id, w.title, w.category_id from wants w
    join users u on u.id = w.user_id
    where w.id = any (${[...ids]}::bigint[]) and u.suspended_at is null`.execute(db)
  return rows
}

/**
 * Until the transaction ends nobody else changes the member's wish list. What refers to the member is not held up.
 * False when the member is gone.
 */
export async function lockWishList(tx: Db<Tables>, userId: number): Promise<boolean> {
  const member = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return member !== undefined
}

export async function insertWants(
  tx: Db<Tables>,
  wants: readonly Insertable<Tables['wants']>[],
): Promise<OwnedRow[]> {
  if (wants.length === 0) return []
  return tx
    .insertInto('wants')
    .values([...wants])
    .returning(['id', 'user_id', 'title', 'category_id'])
    .execute()
}

export async function updateWantTitles(tx: Db<Tables>, titles: ReadonlyMap<number, string>): Promise<void> {
  if (titles.size === 0) return
  await sql`
    update wants set title = renamed.title, updated_at = now()
    from unnest(${[...titles.keys()]}::bigint[], ${[...titles.values()]}::text[]) as renamed (id, title)
    where wants.id = renamed.id`.execute(tx)
}

export async function deleteWants(tx: Db<Tables>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from wants where id = any (${[...ids]}::bigint[])`.execute(tx)
}
