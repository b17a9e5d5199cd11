import type { PushMessage } from '#contract/push.ts'
import type { Deps } from '#server/deps.ts'
import { pushTo } from '#server/features/push/push.ts'
import { afterQuietHours } from '#server/features/push/quiet-hours.ts'
import { eachListingOnce } from './mailing.ts'
import { findReader, listPending, updateSent } from './mailing-queries.ts'
import { type MailedMatch, sentence } from './mails/matches.ts'
import { upsertDue } from './notification-schedule-queries.ts'

/** Sends a member one push about all pending matches. During quiet hours it is rescheduled to their end. */
export async function pushMatches(
  deps: Pick<Deps, 'db' | 'pusher'>,
  { user_id }: { user_id: number },
): Promise<void> {
  const { db } = deps
  const pending = await listPending(db, user_id, 'push')
  const [first, ...others] = eachListingOnce(pending.filter((match) => match.is_shown))
  const reader = first && (await findReader(db, user_id))
  if (reader) {
    const now = new Date()
    const due = afterQuietHours(reader.time_zone ?? 'UTC', now)
    if (due > now) return upsertDue(db, [{ user_id, channel: 'push', due_at: due.toISOString() }])
    await pushTo(deps, user_id, messageOf(first, others.length))
  }
  await updateSent(db, user_id, 'push', pending)
}

function messageOf(first: MailedMatch, more: number): PushMessage {
  const title = first.is_swap ? `A swap: ${first.listing_title}` : first.listing_title
  return {
    category: 'match',
    title: more === 0 ? title : `${title}, and ${more} more`,
    body: `${sentence(first.reason)} From ${first.owner_username}.`,
    path: more === 0 ? `/listings/${first.listing_id}` : '/matches',
    tag: 'matches',
  }
}
