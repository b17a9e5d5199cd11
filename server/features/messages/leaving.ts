import type { Transaction } from 'kysely'
import type { Tables } from '#server/tables.ts'
import { deleteConversationsWithFormer } from './queries.ts'

/** Keeps a leaving member's messages for the other members, without the name. Deletes those that have no other member. */
export async function leaveConversations(tx: Transaction<Tables>, userId: number): Promise<void> {
  await deleteConversationsWithFormer(tx, userId)
}
