import { sql } from 'kysely'
import { states } from '#contract/constants.ts'
import { needsReminder } from '#server/features/visibility/listings.ts'
import type { Db, Row } from '#server/tables.ts'

export interface RemindedListing extends Pick<Row<'listings'>, 'id' | 'title' | 'expires_at'> {
  is_expired: boolean
  mail_listings: boolean
  time_zone: string | null
}

/** Returns those of a member's listings that still need a reminder, because they are not relisted, hidden or gone. */
export async function listReminded(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<RemindedListing[]> {
  const { rows } = await sql<RemindedListing>`
    select l.id, l.title, l.expires_at, l.expires_at <= now() as is_expired, o.time_zone, o.mail_listings
    from unnest(${ids}::bigint[]) with ordinality x (id, position)
    join listings l on l.id = x.id join users o on o.id = l.owner_id
    where l.owner_id = ${owner} and l.remind_at is null and o.suspended_at is null and ${sql.raw(needsReminder)}
    order by l.expires_at, x.position`.execute(db)
  return rows
}

export type ReminderRow = NonNullable<Awaited<ReturnType<typeof findReminder>>>

/** Returns a listing for its reminder. Undefined if it is deleted or its owner is suspended. */
export function findReminder(db: Db, id: number) {
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
