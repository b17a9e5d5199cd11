import type { MailContent } from '#server/platform/render-mail.ts'
import { excerptOf } from '../excerpt.ts'
import type { UnreadRow } from '../queries.ts'

const maxQuotedLength = 300

/** Returns the mail about unread messages of a conversation. `content` is the newest one. */
export function unreadMail(
  member: { email: string; first_name: string },
  unread: Pick<UnreadRow, 'username' | 'unread_count' | 'content' | 'photo_count'> & { partner_id: number },
  oneClick: string,
): MailContent {
  const { partner_id, username, unread_count } = unread
  return {
    to: member.email,
    subject: `${username} wrote to you`,
    title: `${username} wrote to you`,
    body: [
      `Hello ${member.first_name},`,
      unread_count === 1
        ? `${username} is waiting for your answer:`
        : `${username} has sent you ${unread_count} messages. The last one:`,
      `“${excerptOf(unread, maxQuotedLength)}”`,
    ],
    action: { label: 'Read and answer', path: `/messages/${partner_id}` },
    optional: {
      because: 'We tell you once, until you have read it.',
      links: [{ label: 'Choose what we mail you', path: '/profile/edit' }],
      oneClick,
    },
  }
}
