import { sql } from 'kysely'
import { firstPhoto, imageColumns } from '#server/features/images/paths.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import type { MailedMatch } from './mails/matches.ts'
import type { Channel } from './notification-schedule-queries.ts'
import { isMatchShown, withParties } from './queries.ts'

const columns = sql`w.title as want_title, l.id as listing_id, l.title as listing_title, l.type_id, l.price, m.reason, m.is_swap,
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

/** Returns the three latest matches for the preview of the mail. */
export async function listLatest(db: Db, userId: number): Promise<MailedMatch[]> {
  const { rows } = await sql<MailedMatch>`
    select ${columns} from matches m ${joins} where m.user_id = ${userId} and ${isMatchShown}
    order by m.is_swap desc, m.id desc limit 3`.execute(db)
  return rows
}

/** Returns the receiver of match mails and pushes, or undefined if the member is suspended or deleted. */
export function findReader(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'first_name', 'mail_matches', 'time_zone'])
    .where('id', '=', userId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
}
