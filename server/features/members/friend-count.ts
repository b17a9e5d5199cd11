import { type Expression, type RawBuilder, sql } from 'kysely'

const suspended = sql`(select id from users where suspended_at is not null)`

/** Counts a member's friends without suspended ones, on both sides of a pair, each with an index-only scan. */
export function friendCount(member: Expression<number>): RawBuilder<number> {
  return sql<number>`(
    (select count(*) from friendships where low_id = ${member} and status = 'accepted' and high_id not in ${suspended})
    + (select count(*) from friendships where high_id = ${member} and status = 'accepted' and low_id not in ${suspended})
  )`
}
