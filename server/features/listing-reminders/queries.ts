import { states } from '#contract/constants.ts'
import type { Preferences } from '#contract/profile.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'

/** Holds if a listing `l` of a member who is not suspended needs a reminder. */
const needsReminder = `l.is_active and l.hidden_at is null and l.state_id <> ${states.gone}`

export interface DueReminder extends Pick<Preferences, 'mail_listings'> {
  id: number
  owner_id: number
  needs_reminder: boolean
}

/**
 * Returns due reminders and marks them as sent: at least `limit` if there are so many, with those of the same owners that are due within
 * `aheadHours`. Skips listings that others have locked.
 */
export const takeDueReminders = statement<[limit: number, aheadHours: number], DueReminder>(
  `update listings l set remind_at = null where id = any (array(
     select id from listings
     where remind_at <= now() + make_interval(hours => $2) and owner_id = any (array(
       select owner_id from listings where remind_at <= now() order by remind_at limit $1
     ))
     for update skip locked
   ))
   returning id, owner_id, (select mail_listings from users where id = l.owner_id) as mail_listings,
     ${needsReminder} and exists (select from users where id = l.owner_id and suspended_at is null) as needs_reminder`,
)

interface ListingRow {
  id: number
  title: string
  expires_at: string
  is_expired: boolean
}

export interface RemindedListing extends ListingRow, Pick<Preferences, 'mail_listings'> {
  time_zone: string | null
}

/** Returns those of a member's listings that still need a reminder, because they are not relisted, hidden or gone. */
export const listReminded = statement<[owner: number, ids: readonly number[]], RemindedListing>(
  `select l.id, l.title, l.expires_at, l.expires_at <= now() as is_expired, o.time_zone, o.mail_listings
   from unnest($2::bigint[]) with ordinality x (id, position)
   join listings l on l.id = x.id join users o on o.id = l.owner_id
   where l.owner_id = $1 and l.remind_at is null and o.suspended_at is null and ${needsReminder}
   order by l.expires_at, x.position`,
)

export interface ReminderRow extends ListingRow {
  owner_id: number
  is_gone: boolean
}

/** Returns a listing for its reminder. Undefined if it is deleted or its owner is suspended. */
export const findReminder = rowStatement<[id: number], ReminderRow>(
  `select l.id, l.owner_id, l.title, l.expires_at, l.expires_at <= now() as is_expired, l.state_id = ${states.gone} as is_gone
   from listings l join users o on o.id = l.owner_id where l.id = $1 and o.suspended_at is null`,
)
