import type { Db } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Tables } from '#server/tables.ts'

/** Returns the SQL condition that neither of two members has blocked the other. The arguments are columns or placeholders. */
export function isUnblocked(one: string, other: string): string {
  return `not exists (select from blocks b where b.blocker_id = ${one} and b.blocked_id = ${other})
    and not exists (select from blocks b where b.blocker_id = ${other} and b.blocked_id = ${one})`
}

/** Returns the blocks between any of the members. */
export function listBlocksAmong(db: Db<Tables>, members: readonly number[]) {
  return db
    .selectFrom('blocks')
    .select(['blocker_id', 'blocked_id'])
    .where('blocker_id', '=', anyOf(members))
    .where('blocked_id', '=', anyOf(members))
    .execute()
}

/** Returns whether any of the members has blocked another one. */
export async function hasBlockAmong(db: Db<Tables>, members: readonly number[]): Promise<boolean> {
  return (await listBlocksAmong(db, members)).length > 0
}
