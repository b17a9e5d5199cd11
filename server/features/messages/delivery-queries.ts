import { sql } from 'kysely'
import { notificationTimes } from '#contract/constants.ts'
import type { Channel, DeliveryKey } from '#server/features/notifications/kinds.ts'
import { statement } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

// The due times of mails and pushes about messages are columns of `threads`, because the statement that stores messages sets them.

const mailDelay = `make_interval(mins => ${notificationTimes.unreadMailMinutes})`

const take = (channel: Channel, isDue: string, dueAt: string, taken: string) =>
  statement<[limit: number], DeliveryKey>(
    `with due as (
       select member_id, partner_id from threads where ${isDue} order by ${dueAt} limit $1
       for update skip locked
     )
     update threads t set ${taken}
     from due where t.member_id = due.member_id and t.partner_id = due.partner_id
     returning t.member_id as user_id, '${channel}' as channel, 'messages' as topic, t.partner_id as subject_id`,
  )

/** Takes threads that have been unread for some minutes without a mail about them. */
export const takeMailDue = take(
  'mail',
  `mailed_at is null and unread_since <= now() - ${mailDelay}`,
  'unread_since',
  'mailed_at = now()',
)

/** Takes threads with a due push. */
export const takePushDue = take(
  'push',
  'push_due_at <= now()',
  'push_due_at',
  'push_due_at = null, pushed_at = now()',
)

/** Sets the time of the next push of a thread that is still unread, or moves its pending mail ahead. */
export async function updateThreadDue(
  db: Db,
  { user_id, channel, subject_id }: DeliveryKey,
  moment: string,
): Promise<void> {
  const change =
    channel === 'push'
      ? sql`push_due_at = ${moment}`
      : sql`unread_since = greatest(unread_since, ${moment}::timestamptz - ${sql.raw(mailDelay)})`
  await sql`
    update threads set ${change} where member_id = ${user_id} and partner_id = ${subject_id} and unread_count > 0`.execute(
    db,
  )
}
