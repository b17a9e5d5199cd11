import { sql } from 'kysely'
import type { Db } from '#server/tables.ts'

/** Counts the open trades for the metrics, and returns the age of the oldest request. */
export function findOpenCounts(db: Db) {
  return db
    .selectFrom('trades')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('state', '=', 'requested').as('requested'),
      fn.countAll<number>().filterWhere('state', '=', 'accepted').as('accepted'),
      sql<number>`coalesce(extract(epoch from now() - min(created_at) filter (where state = 'requested')), 0)::float`.as(
        'oldest_seconds',
      ),
    ])
    .where('expires_at', 'is not', null)
    .executeTakeFirstOrThrow()
}

const now = sql<string>`now()`

/** A time of a trade at which its parties are reminded. */
export type ReminderColumn = 'remind_at' | 'pickup_remind_at'

/** Returns trades of which this time has come, the earliest first. */
export async function listDue(
  db: Db,
  column: 'expires_at' | ReminderColumn,
  limit: number,
): Promise<number[]> {
  const trades = await db
    .selectFrom('trades')
    .select('id')
    .where(column, '<=', now)
    .orderBy(column)
    .limit(limit)
    .execute()
  return trades.map(({ id }) => id)
}

/** Returns trades with a handover that its giver has not answered in time, the earliest first. */
export async function listUnconfirmed(db: Db, limit: number): Promise<number[]> {
  const legs = await db
    .selectFrom('trade_legs')
    .select('trade_id')
    .where('confirm_at', '<=', now)
    .where('handed_over', '=', sql.lit(false))
    .orderBy('confirm_at')
    .limit(limit)
    .execute()
  return [...new Set(legs.map(({ trade_id }) => trade_id))]
}

/** Marks a trade as reminded. Returns false if its reminder is not due any more, or its pickup has begun. */
export async function takeReminder(tx: Db, id: number, column: ReminderColumn): Promise<boolean> {
  const taken = await tx
    .updateTable('trades')
    .set({ [column]: null })
    .where('id', '=', id)
    .where(column, '<=', now)
    .returning(({ eb }) => eb('pickup_starts_at', '>', now).as('is_pickup_ahead'))
    .executeTakeFirst()
  return taken !== undefined && (column === 'remind_at' || taken.is_pickup_ahead === true)
}
