import type { Delivery } from '#server/features/notifications/kinds.ts'
import { takeMailDue, takePushDue, updateThreadDue } from './delivery-queries.ts'
import { excerptOf } from './excerpt.ts'
import { unreadMail } from './mails/unread.ts'
import { findUnread } from './queries.ts'

const maxBodyLength = 200

/** Tells a member of the unread messages of a conversation. The threads are their notifications in the app. */
export const messageDelivery: Delivery = {
  topic: 'messages',
  category: 'message',
  preference: 'mail_unread',
  async unsent(db, { user_id, subject_id }, reader) {
    const unread = await findUnread(db, user_id, subject_id)
    return {
      content: unread && {
        mail: () => unreadMail({ ...unread, partner_id: subject_id }, reader),
        push: () => ({
          title: reader.t('{count, plural, one {{name} wrote to you} other {{name} sent you # messages}}', {
            count: unread.unread_count,
            name: unread.username,
          }),
          body: excerptOf(unread, maxBodyLength, reader.t),
          path: `/messages/${subject_id}`,
        }),
      },
      // Reading or the next message changes the due times.
      markSent: async () => {},
    }
  },
  sources: [
    // Small, because the transaction locks the threads.
    { batchSize: 50, take: takeMailDue },
    { batchSize: 50, take: takePushDue },
  ],
  postpone: updateThreadDue,
}
