import { sql } from 'kysely'
import { firstPhoto, imageColumns } from '#server/features/images/paths.ts'
import type { Channel, DeliveryKey } from '#server/features/notifications/kinds.ts'
import { statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import type { MailedMatch } from './mails/matches.ts'
import { isMatchShown, withParties } from './queries.ts'
import { storedReason } from './stored-reason.ts'

const columns = sql`w.title as want_title, l.id as listing_id, l.title as listing_title, l.type_id, l.price, ${sql.raw(storedReason)} as reason, m.is_swap,
  o.username as owner_username, o.city, o.state,
  ${sql.raw(imageColumns)}`

/** Without the photos of listings that are for friends only, because mail programs have no session. */
const joins = sql`${withParties} join wants w on w.id = m.want_id ${sql.raw(firstPhoto)} and l.is_public`

export interface PendingRow extends MailedMatch {
  id: number
  /** True if the match is still shown to the member. */
  is_shown: boolean
}

/** The maximum number of matches of one mail or push. */
const batchSize = 200

/** Returns the matches that the channel has not sent yet: swaps first, then the newest. */
export async function listPending(db: Db, userId: number, channel: Channel): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select m.id, ${isMatchShown} as is_shown, ${columns} from (
      select * from matches where user_id = ${userId} and ${sql.ref(`${channel}_pending`)}
      order by id desc limit ${sql.lit(batchSize)}
    ) m ${joins}
    order by m.is_swap desc, m.id desc`.execute(db)
  return rows
}

/** Marks what `listPending` has returned as sent by a channel, and the older matches that it left out. */
export async function updateSent(
  db: Db,
  userId: number,
  channel: Channel,
  pending: readonly PendingRow[],
): Promise<void> {
  const ids = pending.map(({ id }) => id)
  const firstId = ids.length === batchSize ? Math.min(...ids) : 0
  await db
    .updateTable('matches')
    .set({ [`${channel}_pending`]: false })
    .where('user_id', '=', userId)
    .where(({ ref }) => ref(`${channel}_pending`))
    .where(({ eb, or }) => or([eb('id', '=', anyOf(ids)), eb('id', '<', firstId)]))
    .execute()
}

/** Marks a member's pending matches with these listings as read, so that no mail and no push names them. */
export async function updateReadPending(tx: Db, userId: number, listings: readonly number[]): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ mail_pending: false, push_pending: false })
    .where('user_id', '=', userId)
    .where('listing_id', '=', anyOf(listings))
    .where(({ or, ref }) => or([ref('mail_pending'), ref('push_pending')]))
    .execute()
}

/** Returns the three latest matches for the preview of the mail. */
export async function listLatest(db: Db, userId: number): Promise<MailedMatch[]> {
  const { rows } = await sql<MailedMatch>`
    select ${columns} from matches m ${joins} where m.user_id = ${userId} and ${isMatchShown}
    order by m.is_swap desc, m.id desc limit 3`.execute(db)
  return rows
}

/** Returns the receiver of the preview. */
export function findPreviewReader(db: Db, userId: number) {
  return db.selectFrom('users').select(['first_name', 'language']).where('id', '=', userId).executeTakeFirst()
}

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

/** Takes what the previous release has scheduled. Remove it, and the table, with the next release. */
export const takePreviousSchedule = statement<[limit: number], DeliveryKey>(
  `with due as (
     select user_id, channel from notification_schedule where due_at <= now() order by due_at limit $1
     for update skip locked
   )
   update notification_schedule t set due_at = null, sent_at = now()
   from due where t.user_id = due.user_id and t.channel = due.channel
   returning t.user_id, t.channel, 'matches' as topic, 0 as subject_id`,
)
