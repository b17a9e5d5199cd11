import { notificationTimes } from '#contract/constants.ts'
import type { MailBody, Reader } from '#server/features/notifications/kinds.ts'
import { excerptOf } from '../excerpt.ts'
import type { UnreadRow } from '../queries.ts'

const maxQuotedLength = 300

/** Returns the mail about unread messages of a conversation. `content` is the newest one. */
export function unreadMail(unread: UnreadRow & { partner_id: number }, { first_name, t }: Reader): MailBody {
  const { partner_id, username: name, unread_count: count, listing_title: listing } = unread
  const title = t('{name} wrote to you', { name })
  return {
    subject: listing === null ? title : t('{name} wrote to you about {listing}', { name, listing }),
    title,
    body: [
      t('Hello {name},', { name: first_name }),
      t(
        '{count, plural, one {{name} is waiting for your answer:} other {{name} has sent you # messages. The last one:}}',
        { count, name },
      ),
      t('“{quote}”', { quote: excerptOf(unread, maxQuotedLength, t) }),
    ],
    action: { label: t('Read and answer'), path: `/messages/${partner_id}` },
    because: t(
      'We tell you again only about newer messages, after {hours, plural, one {# hour} other {# hours}} or more.',
      { hours: notificationTimes.unreadMailPauseHours },
    ),
  }
}
