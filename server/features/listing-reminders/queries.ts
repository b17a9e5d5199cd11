import { sql } from 'kysely'
import { states } from '#contract/constants.ts'
import type { Db } from '#server/tables.ts'

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
