import { type Expression, type RawBuilder, sql } from 'kysely'

/** Counts a member's friends on both sides of a pair, each with an index-only scan. */
export function friendCount(member: number | Expression<number>): RawBuilder<number> {
  return sql<number>`(
    (select count(*) from friendships where low_id = ${member} and status = 'accepted')
    + (select count(*) from friendships where high_id = ${member} and status = 'accepted')
  )`
}
