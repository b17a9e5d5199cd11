import type { Transaction } from 'kysely'
import type { Tables } from '#server/tables.ts'
import { deleteConversationsWithFormer } from './queries.ts'

/** What becomes of a leaving member's messages: they stay for the other side, under no name, as long as there is one. */
export async function leaveConversations(tx: Transaction<Tables>, userId: number): Promise<void> {
  await deleteConversationsWithFormer(tx, userId)
}
