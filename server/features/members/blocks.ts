import type { Db } from '#server/tables.ts'
import { listBlocksAmong } from './queries.ts'

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
