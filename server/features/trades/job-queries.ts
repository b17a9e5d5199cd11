import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** The numbers of open trades, for the metrics. */
export interface OpenCounts {
  readonly requested: number
  readonly accepted: number
  /** The age of the oldest request. */
  readonly oldest_seconds: number
}

const openCounts = statement<[], OpenCounts>(
  `select count(*) filter (where state = 'requested')::int as requested, count(*) filter (where state = 'accepted')::int as accepted,
     coalesce(extract(epoch from now() - min(created_at) filter (where state = 'requested')), 0)::float as oldest_seconds
   from trades where expires_at is not null`,
)

export async function findOpenCounts(db: Db<Tables>): Promise<OpenCounts> {
  const [counts] = await openCounts(db)
  return counts ?? { requested: 0, accepted: 0, oldest_seconds: 0 }
}

const lapsed = statement<[limit: number], { id: number }>(
  'select id from trades where expires_at <= now() order by expires_at limit $1',
)

/** Returns trades that lapse now. */
export async function listLapsed(db: Db<Tables>, limit: number): Promise<number[]> {
  return (await lapsed(db, limit)).map(({ id }) => id)
}

const reminded = (column: 'remind_at' | 'pickup_remind_at') =>
  statement<[limit: number], { id: number }>(
    `update trades set ${column} = null where id = any (array(
       select id from trades where ${column} <= now() order by ${column} limit $1 for update skip locked
     )) returning id`,
  )
const reminders = { trade: reminded('remind_at'), pickup: reminded('pickup_remind_at') }

/** Returns trades with a due reminder and marks them as reminded. Skips locked rows. */
export async function takeReminders(
  tx: Db<Tables>,
  reminder: keyof typeof reminders,
  limit: number,
): Promise<number[]> {
  return (await reminders[reminder](tx, limit)).map(({ id }) => id)
}

export interface ReaderRow {
  mail_trades: boolean
  time_zone: string | null
}

const reader = statement<[member: number], ReaderRow>(
  'select mail_trades, time_zone from users where id = $1 and suspended_at is null',
)

/** Returns the notification preferences of a member; undefined if the member is suspended or has left. */
export async function findReader(db: Db<Tables>, member: number): Promise<ReaderRow | undefined> {
  const [row] = await reader(db, member)
  return row
}
