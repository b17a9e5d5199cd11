import { sql } from 'kysely'

// SQL conditions between members: friendship, blocks and suspension. No other module has SQL of `friendships` and `blocks`, except the
// statements that write or list them. An argument is a placeholder such as `$1::bigint`, or a column such as `me.id`.

/** The relation `me` of one member, for conditions in statements of Kysely. */
export function me(member: number) {
  return sql<{ id: number }>`(select ${member}::bigint as id)`.as('me')
}

/**
 * Returns an `exists` condition that PostgreSQL evaluates for each row, from an index. It plans a plain `exists` for many rows as a join
 * with the whole table.
 */
export function existsPerRow(rows: string): string {
  return `coalesce((select true from ${rows} limit 1), false)`
}

/** Selects the ids of a member's friends, also of suspended ones. */
export function friendsOf(member: string): string {
  return `select high_id from friendships where low_id = ${member} and status = 'accepted'
    union all select low_id from friendships where high_id = ${member} and status = 'accepted'`
}

/** Holds if two members are friends. */
export function areFriends(one: string, other: string): string {
  return existsPerRow(`friendships f
    where f.low_id = least(${one}, ${other}) and f.high_id = greatest(${one}, ${other}) and f.status = 'accepted'`)
}

/** Selects the ids of the members with a block between them and a member, whoever made it. */
export function blockedWith(member: string): string {
  return `${blockedBy(member)}
    union all select blocker_id from blocks where blocked_id = ${member}`
}

/** Holds if a member has blocked another. */
export function hasBlocked(one: string, other: string): string {
  return existsPerRow(`blocks b where b.blocker_id = ${one} and b.blocked_id = ${other}`)
}

/** Selects the ids of the members whom a member has blocked. */
export function blockedBy(member: string): string {
  return `select blocked_id from blocks where blocker_id = ${member}`
}

/** Holds if one of two members has blocked the other. */
export function areBlocked(one: string, other: string): string {
  return `(${hasBlocked(one, other)} or ${hasBlocked(other, one)})`
}

/** Holds if neither of two members has blocked the other. */
export function areUnblocked(one: string, other: string): string {
  return `not ${areBlocked(one, other)}`
}

/** Selects the ids of the suspended members. */
export const suspendedMembers = 'select id from users where suspended_at is not null'

/** Selects the ids of the members of whom a member sees nothing. PostgreSQL reads them once into a hash table. */
export function unseenBy(member: string): string {
  return `${suspendedMembers} union all ${blockedWith(member)}`
}

/** Counts a member's friends without suspended ones, on both sides of a pair, each with an index-only scan. */
export function friendCount(member: string): string {
  return `(
    (select count(*) from friendships where low_id = ${member} and status = 'accepted' and high_id not in (${suspendedMembers}))
    + (select count(*) from friendships where high_id = ${member} and status = 'accepted' and low_id not in (${suspendedMembers}))
  )`
}
