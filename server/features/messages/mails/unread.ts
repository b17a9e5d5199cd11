import { notificationTimes } from '#contract/constants.ts'
import type { MailBody, Reader } from '#server/features/notifications/kinds.ts'
import { excerptOf } from '../excerpt.ts'
import type { UnreadRow } from '../queries.ts'

const maxQuotedLength = 300

/** Returns the mail about unread messages of a conversation. `content` is the newest one. */
export function unreadMail(unread: UnreadRow & { partner_id: number }, { first_name }: Reader): MailBody {
  const { partner_id, username, unread_count } = unread
  return {
    subject: `${username} wrote to you`,
    title: `${username} wrote to you`,
    body: [
      `Hello ${first_name},`,
      unread_count === 1
        ? `${username} is waiting for your answer:`
        : `${username} has sent you ${unread_count} messages. The last one:`,
      `“${excerptOf(unread, maxQuotedLength)}”`,
    ],
    action: { label: 'Read and answer', path: `/messages/${partner_id}` },
    because: `We tell you again only about newer messages, after ${notificationTimes.unreadMailPauseHours} hours or more.`,
  }
}
