import { sql } from 'kysely'
import { notificationTimes } from '#contract/constants.ts'
import { deleteInBatches, statement } from '#server/platform/db/database.ts'
import type { Db, Row } from '#server/tables.ts'
import type { Delivery, DeliveryKey } from './kinds.ts'

/** A member with the settings that decide when they are told. */
export interface Member {
  readonly user_id: number
  readonly time_zone: string | null
  readonly has_push: boolean
  readonly mail: 'at_once' | 'daily' | 'never'
}

type MemberRow = Member & Pick<Row<'users'>, 'first_name' | 'language' | 'suspended_at'>

const memberRows = (preference: Delivery['preference']) =>
  statement<[ids: readonly number[]], MemberRow>(
    `select u.id as user_id, u.first_name, u.language, u.suspended_at, u.time_zone, coalesce((select true from push_subscriptions p where p.user_id = u.id limit 1), false) as has_push,
       ${preference === 'mail_matches' ? 'u.mail_matches' : `case when u.${preference} then 'at_once' else 'never' end`} as mail
     from users u where u.id = any ($1::bigint[])`,
  )
const members = {
  mail_matches: memberRows('mail_matches'),
  mail_unread: memberRows('mail_unread'),
  mail_listings: memberRows('mail_listings'),
  mail_trades: memberRows('mail_trades'),
}

export function listMembers(db: Db, ids: readonly number[], preference: Delivery['preference']) {
  return members[preference](db, ids)
}

const { mail, push } = notificationTimes.pauseMinutes
/** The earlier one of both times, but not within the pause after the last delivery. */
const earlierDue = `least(t.due_at, greatest(
  excluded.due_at, t.sent_at + make_interval(mins => case excluded.channel when 'mail' then ${mail} else ${push} end)))`
const upsert = statement<
  [users: number[], channels: string[], topic: string, subjects: number[], moments: string[]],
  object
>(
  `insert into deliveries as t (user_id, channel, topic, subject_id, due_at)
   select user_id, channel, $3, subject_id, min(due_at)
   from unnest($1::bigint[], $2::text[], $4::bigint[], $5::timestamptz[]) as x (user_id, channel, subject_id, due_at)
   group by user_id, channel, subject_id order by user_id, channel, subject_id
   on conflict (user_id, channel, topic, subject_id) do update set due_at = ${earlierDue} where t.due_at is distinct from ${earlierDue}`,
)

/** Schedules deliveries of one topic. An earlier time replaces a later one, but the pause after the last delivery is kept. */
export async function upsertDue(
  tx: Db,
  topic: string,
  rows: readonly (DeliveryKey & { due_at: string })[],
): Promise<void> {
  await upsert(
    tx,
    rows.map(({ user_id }) => user_id),
    rows.map(({ channel }) => channel),
    topic,
    rows.map(({ subject_id }) => subject_id),
    rows.map(({ due_at }) => due_at),
  )
}

/** Takes due deliveries from the schedule and marks them as sent. */
export const takeDue = statement<[limit: number], DeliveryKey>(
  `with due as (
     select user_id, channel, topic, subject_id from deliveries where due_at <= now() order by due_at limit $1
     for update skip locked
   )
   update deliveries t set due_at = null, sent_at = now()
   from due where (t.user_id, t.channel, t.topic, t.subject_id) = (due.user_id, due.channel, due.topic, due.subject_id)
   returning t.user_id, t.channel, t.topic, t.subject_id`,
)

const ofKey = ({ user_id, channel, topic, subject_id }: DeliveryKey) =>
  sql<boolean>`(user_id, channel, topic, subject_id) = (${user_id}, ${channel}, ${topic}, ${subject_id})`

/** Schedules a delivery that was taken too early. */
export async function updateDue(db: Db, key: DeliveryKey, moment: string): Promise<void> {
  await db.updateTable('deliveries').set({ due_at: moment }).where(ofKey(key)).execute()
}

/** Moves a pending delivery ahead, if there is one. */
export async function postponeDue(db: Db, key: DeliveryKey, moment: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ due_at: sql`greatest(due_at, ${moment})` })
    .where(ofKey(key))
    .where('due_at', 'is not', null)
    .execute()
}

/** Stores the newest notification that a delivery has sent. */
export async function updateSentId(db: Db, key: DeliveryKey, sent_id: number): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({ ...key, sent_id })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'channel', 'topic', 'subject_id'])
        .doUpdateSet({ sent_id: sql`greatest(deliveries.sent_id, excluded.sent_id)` }),
    )
    .execute()
}

/** Marks a member's notifications of some kinds as sent by mail. */
export async function updateSentIds(
  tx: Db,
  userId: number,
  topic: string,
  kinds: readonly string[],
): Promise<void> {
  await sql`
    insert into deliveries (user_id, channel, topic, subject_id, sent_id)
    select n.user_id, 'mail', ${topic}, case n.about_type when ${topic} then n.about_id else 0 end as subject_id, max(n.id)
    from notifications n where n.user_id = ${userId} and n.kind = any (${kinds}) and n.read_at is null
    group by n.user_id, 4
    on conflict (user_id, channel, topic, subject_id)
    do update set sent_id = greatest(deliveries.sent_id, excluded.sent_id)`.execute(tx)
}

/** Returns the pending mails of a member with the end of the pause after the last one. */
export async function listPendingMails(tx: Db, userId: number) {
  const { rows } = await sql<DeliveryKey & { pause_end: string | null }>`
    select user_id, channel, topic, subject_id, sent_at + make_interval(mins => ${sql.lit(mail)}) as pause_end
    from deliveries where user_id = ${userId} and channel = 'mail' and due_at is not null for update`.execute(
    tx,
  )
  return rows
}

export async function deleteOldDeliveries(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'deliveries', sql`sent_at < ${before} and due_at is null`)
}
