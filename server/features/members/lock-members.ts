import type { Db } from '#server/tables.ts'
import { listLockedMembers } from './queries.ts'

/**
 * Locks members in the order of their ids until the transaction ends, and returns those who are not deleted or suspended. Transactions
 * that change a friendship, a block or a trade between members call it first, which serializes them for each member.
 */
export async function lockMembers(tx: Db, ids: readonly number[]): Promise<number[]> {
  return activeOf(await listLockedMembers(tx, ids, 'no key update'))
}

/**
 * Locks members like `lockMembers`, but only so that they can't be deleted. Call it before locking their rows, as the deletion does.
 */
export async function lockMembersForShare(tx: Db, ids: readonly number[]): Promise<number[]> {
  return activeOf(await listLockedMembers(tx, ids, 'key share'))
}

function activeOf(members: readonly { id: number; suspended_at: string | null }[]): number[] {
  return members.filter(({ suspended_at }) => suspended_at === null).map(({ id }) => id)
}
