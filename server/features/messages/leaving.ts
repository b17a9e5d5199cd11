import type { Deps } from '#server/deps.ts'
import { dropImages } from '#server/features/images/store-image.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteConversations,
  deleteThreads,
  listFormerPartners,
  listSentPhotos,
  lockLeaving,
} from './leaving-queries.ts'

/** Deletes the threads that a message stored while their member was being deleted. */
const deleteLateThreads = jobKind<{ member_id: number }>('delete-late-threads')

/** More than the longest statement takes, after which no message is stored for a deleted member. */
const lateSeconds = 120

/**
 * Deletes a leaving member's threads, and their conversations with deleted members with their photos, because nobody can read them any
 * more. Other conversations stay for the other side.
 */
export async function leaveConversations(
  { events, jobs }: Pick<Deps, 'events' | 'jobs'>,
  tx: Tx,
  userId: number,
): Promise<void> {
  await lockLeaving(tx)
  const partners = await listFormerPartners(tx, userId)
  if (partners.length > 0) {
    await dropImages({ jobs }, tx, await listSentPhotos(tx, userId, partners))
    const message_ids = await deleteConversations(tx, userId, partners)
    await events.publish(tx, 'messages_deleted', { message_ids })
  }
  await deleteThreads(tx, userId)
  await jobs.add(tx, deleteLateThreads, { member_id: userId }, lateSeconds)
}

export function registerMessageJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.handle(deleteLateThreads, ({ member_id }) => deleteThreads(db, member_id))
}
