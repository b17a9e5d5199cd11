import { notificationTimes } from '#contract/constants.ts'
import type { PushMessage } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { pushTo } from '#server/features/push/push.ts'
import { afterQuietHours } from '#server/features/push/quiet-hours.ts'
import { inBatches, inTransaction } from '#server/platform/db/database.ts'
import { outsideCallers } from '#server/platform/db/outside-callers.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { excerptOf } from './excerpt.ts'
import { findUnread, takePushDue, type UnreadRow, updatePushDue } from './queries.ts'

/** Pushes the unread messages of one conversation. */
export const pushThread = jobKind<{ user_id: number; partner_id: number }>('push-thread')

/** Queues a job for each conversation with a due push, so that each is retried alone. */
export const pushMessages = jobKind<Record<never, never>>('push-messages')

const batchSize = 500
const maxBodyLength = 200

/**
 * Returns a function that schedules the push of messages stored now. One job pushes all messages that are due in the same few
 * seconds.
 */
export function pushScheduler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): () => void {
  const delayMs = notificationTimes.messagePushDelaySeconds * 1000
  let nextRunAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (nextRunAt >= now + delayMs) return
    nextRunAt = Math.max(now, nextRunAt) + delayMs
    const seconds = Math.ceil((nextRunAt - now) / 1000)
    outsideCallers(() => inTransaction(db, (tx) => jobs.add(tx, pushMessages, {}, seconds))).catch(() => {
      // The next message schedules it. It also runs every minute and reads the due times from the threads.
      nextRunAt = Number.NEGATIVE_INFINITY
    })
  }
}

/** Queues a job for each thread with a due push. */
export async function pushDueMessages({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const threads = await takePushDue(tx, batchSize)
    const data = threads.map(({ member_id, partner_id }) => ({ user_id: member_id, partner_id }))
    await jobs.addAll(tx, pushThread, data)
    return threads.length
  })
}

/** Sends one push about the unread messages of a conversation. During quiet hours it is rescheduled to their end. */
export async function pushUnread(
  deps: Pick<Deps, 'db' | 'pusher'>,
  { user_id, partner_id }: { user_id: number; partner_id: number },
): Promise<void> {
  const unread = await findUnread(deps.db, user_id, partner_id)
  if (!unread) return
  const now = new Date()
  const due = afterQuietHours(unread.time_zone ?? 'UTC', now)
  if (due > now) return updatePushDue(deps.db, user_id, partner_id, due.toISOString())
  await pushTo(deps, user_id, toPushMessage(partner_id, unread))
}

function toPushMessage(partnerId: number, unread: UnreadRow): PushMessage {
  const { username, unread_count } = unread
  return {
    category: 'message',
    title: unread_count === 1 ? `${username} wrote to you` : `${username} sent you ${unread_count} messages`,
    body: excerptOf(unread, maxBodyLength),
    path: `/messages/${partnerId}`,
    tag: `messages-${partnerId}`,
  }
}
