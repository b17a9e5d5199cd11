import { sql } from 'kysely'
import { states } from '#contract/constants.ts'
import type { Preferences } from '#contract/profile.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Row, Tables } from '#server/tables.ts'

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

export interface RemindedListing extends Pick<Row<'listings'>, 'id' | 'title' | 'expires_at'> {
  is_expired: boolean
  mail_listings: boolean
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

export type ReminderRow = NonNullable<Awaited<ReturnType<typeof findReminder>>>

/** Returns a listing for its reminder. Undefined if it is deleted or its owner is suspended. */
export function findReminder(db: Db<Tables>, id: number) {
  return db
    .selectFrom('listings as l')
    .innerJoin('users as o', 'o.id', 'l.owner_id')
    .select([
      'l.id',
      'l.owner_id',
      'l.title',
      'l.expires_at',
      sql<boolean>`l.expires_at <= now()`.as('is_expired'),
      sql<boolean>`l.state_id = ${states.gone}`.as('is_gone'),
    ])
    .where('l.id', '=', id)
    .where('o.suspended_at', 'is', null)
    .executeTakeFirst()
}
