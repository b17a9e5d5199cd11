import { firstPhoto, imageColumns } from '#server/features/images/paths.ts'
import { statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import type { MailedMatch } from './mails/matches.ts'
import type { Channel } from './notification-schedule-queries.ts'
import { isMatchShown, parties } from './queries.ts'

const columns = `w.title as want_title, l.id as listing_id, l.title as listing_title, l.type_id, l.price, m.reason, m.is_swap,
  o.username as owner_username, o.city, o.state,
  ${imageColumns}`

/** Without the photos of listings that are for friends only, because mail programs have no session. */
const from = `${parties} join wants w on w.id = m.want_id ${firstPhoto} and l.is_public`

export interface PendingRow extends MailedMatch {
  id: number
  /** True if the match is still shown to the member. */
  is_shown: boolean
}

/** The maximum number of matches of one mail or push. */
const batchSize = 200

const pendingOf = (channel: Channel) =>
  statement<[userId: number], PendingRow>(
    `select m.id, ${isMatchShown} as is_shown, ${columns}
     from (select * from matches where user_id = $1 and ${channel}_pending order by id desc limit ${batchSize}) m ${from}
     order by m.is_swap desc, m.id desc`,
  )
/** Return the matches that the channel has not sent yet: swaps first, then the newest. */
export const listPending = { mail: pendingOf('mail'), push: pendingOf('push') }

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
export const listLatest = statement<[userId: number], MailedMatch>(
  `select ${columns} from matches m ${from} where m.user_id = $1 and ${isMatchShown} order by m.is_swap desc, m.id desc limit 3`,
)

/** Returns the receiver of match mails and pushes, or undefined if the member is suspended or deleted. */
export function findReader(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'first_name', 'mail_matches', 'time_zone'])
    .where('id', '=', userId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
}
