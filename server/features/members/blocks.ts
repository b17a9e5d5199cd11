import type { Db } from '#server/tables.ts'
import { listBlocksAmong } from './queries.ts'

/** Returns the SQL condition that neither of two members has blocked the other. The arguments are columns or placeholders. */
export function isUnblocked(one: string, other: string): string {
  return `not exists (select from blocks b where b.blocker_id = ${one} and b.blocked_id = ${other})
    and not exists (select from blocks b where b.blocker_id = ${other} and b.blocked_id = ${one})`
}

/** Returns the pairs of members of whom one has blocked the other. */
export async function blockedPairs(
  db: Db,
  members: readonly number[],
): Promise<readonly (readonly number[])[]> {
  const blocks = await listBlocksAmong(db, members)
  return blocks.map(({ blocker_id, blocked_id }) => [blocker_id, blocked_id])
}

/** Returns whether any of the members has blocked another one. */
export async function hasBlockAmong(db: Db, members: readonly number[]): Promise<boolean> {
  return (await blockedPairs(db, members)).length > 0
}
