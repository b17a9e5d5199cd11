import {
  type Db,
  existsStatement,
  idsStatement,
  rowStatement,
  statement,
} from '#server/platform/db/database.ts'
import type { Row, Tables } from '#server/tables.ts'

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

/** Returns trades that lapse now. */
export const listLapsed = idsStatement<[limit: number]>(
  'select id from trades where expires_at <= now() order by expires_at limit $1',
)

const remindersAt = (column: 'remind_at' | 'pickup_remind_at') => ({
  /** Returns trades with a due reminder. */
  list: idsStatement<[limit: number]>(
    `select id from trades where ${column} <= now() order by ${column} limit $1`,
  ),
  /** Marks a trade as reminded. Returns false if its reminder is not due any more. */
  take: existsStatement<[id: number]>(
    `update trades set ${column} = null where id = $1 and ${column} <= now() returning id`,
  ),
})
export const reminders = { trade: remindersAt('remind_at'), pickup: remindersAt('pickup_remind_at') }

/** Returns the notification preferences of a member; undefined if the member is suspended or has left. */
export const findReader = rowStatement<[member: number], Pick<Row<'users'>, 'mail_trades' | 'time_zone'>>(
  'select mail_trades, time_zone from users where id = $1 and suspended_at is null',
)
