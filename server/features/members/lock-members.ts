import type { Db } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Tables } from '#server/tables.ts'

/**
 * Locks members in the order of their ids until the transaction ends, and returns those who are not deleted or suspended. Transactions
 * that change a friendship, a block or a trade between members call it first, which serializes them for each member.
 */
export async function lockMembers(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  return activeOf(await selectMembers(tx, ids).forNoKeyUpdate().execute())
}

/**
 * Locks members like `lockMembers`, but only so that they can't be deleted. Call it before locking their rows, as the deletion does.
 */
export async function lockMembersForShare(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  return activeOf(await selectMembers(tx, ids).forKeyShare().execute())
}

function selectMembers(tx: Db<Tables>, ids: readonly number[]) {
  return tx.selectFrom('users').select(['id', 'suspended_at']).where('id', '=', anyOf(ids)).orderBy('id')
}

function activeOf(members: readonly { id: number; suspended_at: string | null }[]): number[] {
  return members.filter(({ suspended_at }) => suspended_at === null).map(({ id }) => id)
}
