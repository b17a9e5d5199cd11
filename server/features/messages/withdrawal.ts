import type { Publisher } from '#server/deps.ts'
import { afterCommit } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'
import {
  hasWithdrawn,
  listSenders,
  lockReceivers,
  recountThreads,
  updateWithdrawn,
} from './withdrawal-queries.ts'

/** Returns whether messages of a member are withdrawn. */
export const areWithdrawn = hasWithdrawn

/** The senders that one call returns. Each was suspended for what they have sent to the member. */
const maxSenders = 500

/** Returns the members whose messages to a member are withdrawn. */
export function withdrawnSenders(db: Db, receiver: number): Promise<number[]> {
  return listSenders(db, receiver, maxSenders)
}

/**
 * Withdraws all messages of a member from their receivers: from conversations, lists, counts and pending mails and pushes. Call it in a
 * transaction that ends the member's sessions or after it, so that no message is being sent. Returns the number of receivers.
 */
export function withdrawMessages(deps: Publisher, tx: Tx, sender: number): Promise<number> {
  return setWithdrawn(deps, tx, sender, true)
}

/** Restores the withdrawn messages of a member that are younger than a moment, if there is one. Returns the number of receivers. */
export function restoreMessages(
  deps: Publisher,
  tx: Tx,
  sender: number,
  after: string | undefined,
): Promise<number> {
  return setWithdrawn(deps, tx, sender, false, after)
}

async function setWithdrawn(
  { realtime }: Publisher,
  tx: Tx,
  sender: number,
  isWithdrawn: boolean,
  after?: string,
): Promise<number> {
  const receivers = await updateWithdrawn(tx, sender, isWithdrawn, after)
  if (receivers.length > 0) {
    await lockReceivers(tx, sender, receivers)
    await recountThreads(tx, sender, receivers)
  }
  afterCommit(tx, () => realtime.publish(receivers, 'conversation_changed', { user_id: sender }))
  return receivers.length
}
