import { sql } from 'kysely'
import { notificationTimes } from '#contract/constants.ts'
import type { Channel, DeliveryKey } from '#server/features/notifications/kinds.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'
import type { Db, Tx } from '#server/tables.ts'

// The due times of mails and pushes about messages are columns of `threads`, because the statement that stores messages sets them.

const mailDelay = `make_interval(mins => ${notificationTimes.unreadMailMinutes})`

/** Reads the time of the database, which also sets the due times, with its microseconds. */
const readTime = rowStatement<[], { now: string; unmailed_since: string }>(
  `select now()::text as now, (now() - ${mailDelay})::text as unmailed_since`,
)

interface DueThread {
  readonly member_id: number
  readonly partner_id: number
}

/** Takes due threads of one member after the other, because a cluster locks rows of one shard at a time. Leaves out locked ones. */
const take = (channel: Channel, isDue: string, dueAt: string, taken: string) => {
  const list = statement<[due: string, limit: number], DueThread>(
    `select member_id, partner_id from threads where ${isDue} order by ${dueAt} limit $2`,
  )
  const takeOf = statement<[due: string, now: string, member: number, partners: number[]], DeliveryKey>(
    `update threads set ${taken} where member_id = $3 and partner_id = any (array(
       select partner_id from threads where member_id = $3 and partner_id = any ($4::bigint[]) and ${isDue} for update skip locked
     ))
     returning member_id as user_id, '${channel}' as channel, 'messages' as topic, partner_id as subject_id`,
  )
  return async (tx: Tx, limit: number) => {
    const { now = '', unmailed_since = '' } = (await readTime(tx)) ?? {}
    const due = channel === 'mail' ? unmailed_since : now
    const keys: DeliveryKey[] = []
    for (const [member, threads] of Map.groupBy(await list(tx, due, limit), (thread) => thread.member_id)) {
      const partners = threads.map(({ partner_id }) => partner_id)
      keys.push(...(await takeOf(tx, due, now, member, partners)))
    }
    return keys
  }
}

/** Takes threads that have been unread for some minutes without a mail about them. */
export const takeMailDue = take(
  'mail',
  'mailed_at is null and unread_since <= $1',
  'unread_since',
  'mailed_at = $2',
)

/** Takes threads with a due push. */
export const takePushDue = take(
  'push',
  'push_due_at <= $1',
  'push_due_at',
  'push_due_at = null, pushed_at = $2',
)

/** Returns the `unread_since` of a thread whose mail is due at a moment. */
const mailDueSince = (moment: string) =>
  new Date(new Date(moment).getTime() - notificationTimes.unreadMailMinutes * 60_000).toISOString()

/** Sets the time of the next push of a thread that is still unread, or moves its pending mail ahead. */
export async function updateThreadDue(
  db: Db,
  { user_id, channel, subject_id }: DeliveryKey,
  moment: string,
): Promise<void> {
  const change =
    channel === 'push'
      ? sql`push_due_at = ${moment}`
      : sql`unread_since = greatest(unread_since, ${mailDueSince(moment)})`
  await sql`
    update threads set ${change} where member_id = ${user_id} and partner_id = ${subject_id} and unread_count > 0`.execute(
    db,
  )
}
