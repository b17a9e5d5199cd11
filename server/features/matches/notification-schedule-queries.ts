import { sql } from 'kysely'
import { notificationTimes } from '#contract/constants.ts'
import { statement } from '#server/platform/db/database.ts'
import type { Db, Tables } from '#server/tables.ts'
import { type InterestedMember, interested } from './finding-queries.ts'

export type Channel = Tables['notification_schedule']['channel']

/** A notification that is due at a time. */
export interface Due {
  readonly user_id: number
  readonly channel: Channel
  readonly due_at: string
}

export const listInterestedMembers = statement<[ids: readonly number[]], InterestedMember>(
  `select ${interested} from users u where u.id = any ($1::bigint[])`,
)

const markPending = statement<[wants: number[], listings: number[]], object>(
  `update matches m set
     mail_pending = u.mail_matches <> 'never',
     push_pending = exists (select from push_subscriptions p where p.user_id = m.user_id)
   from unnest($1::bigint[], $2::bigint[]) x (want_id, listing_id), users u
   where m.want_id = x.want_id and m.listing_id = x.listing_id and u.id = m.user_id`,
)

/** Marks matches as pending for mail and push once more, as far as their members want mails and have subscribed browsers. */
export async function updatePendingAgain(
  tx: Db,
  matches: readonly { want_id: number; listing_id: number }[],
): Promise<void> {
  await markPending(
    tx,
    matches.map(({ want_id }) => want_id),
    matches.map(({ listing_id }) => listing_id),
  )
}

const { mail, push } = notificationTimes.pauseMinutes
/** The earlier one of both times, but not within the pause after the last notification. */
const earlierDue = `least(t.due_at, greatest(
  excluded.due_at, t.sent_at + make_interval(mins => case excluded.channel when 'mail' then ${mail} else ${push} end)))`
const upsertSchedule = statement<[users: number[], channels: string[], moments: string[]], object>(
  `insert into notification_schedule as t (user_id, channel, due_at)
   select distinct * from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as x (user_id, channel, due_at)
   order by user_id, channel
   on conflict (user_id, channel) do update set due_at = ${earlierDue} where t.due_at is distinct from ${earlierDue}`,
)

/** Schedules a notification. An earlier time replaces a later one, but the pause after the last notification is kept. */
export async function upsertDue(tx: Db, rows: readonly Due[]): Promise<void> {
  const unique = [...new Map(rows.map((row) => [`${row.user_id} ${row.channel}`, row])).values()]
  await upsertSchedule(
    tx,
    unique.map(({ user_id }) => user_id),
    unique.map(({ channel }) => channel),
    unique.map(({ due_at }) => due_at),
  )
}

/** Moves a member's scheduled mail, if there is one, to this time or to the end of the pause. */
export async function updateMailDue(tx: Db, userId: number, moment: string): Promise<void> {
  await sql`
    update notification_schedule
    set due_at = greatest(${moment}::timestamptz, sent_at + make_interval(mins => ${sql.lit(mail)}))
    where user_id = ${userId} and channel = 'mail' and due_at is not null`.execute(tx)
}

/** Cancels a member's scheduled mail. */
export async function cancelMail(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ mail_pending: false })
    .where('user_id', '=', userId)
    .where(({ ref }) => ref('mail_pending'))
    .execute()
  await tx
    .updateTable('notification_schedule')
    .set({ due_at: null })
    .where('user_id', '=', userId)
    .where('channel', '=', 'mail')
    .execute()
}

/** Removes due notifications from the schedule and marks them as sent. */
export const takeDue = statement<[limit: number], { user_id: number; channel: Channel }>(
  `with due as (
     select user_id, channel from notification_schedule where due_at <= now() order by due_at limit $1
     for update skip locked
   )
   update notification_schedule t set due_at = null, sent_at = now()
   from due where t.user_id = due.user_id and t.channel = due.channel
   returning t.user_id, t.channel`,
)
