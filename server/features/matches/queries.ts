import { type RawBuilder, sql } from 'kysely'
import type { CategoryId } from '#contract/constants.ts'
import { limits } from '#contract/constants.ts'
import type { InterestedMember, Match } from '#contract/matches.ts'
import type { StoredReason } from '#server/features/matching/explain.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { matchRadius } from '#server/features/members/match-radius.ts'
import { isOfferedTo } from '#server/features/visibility/listings.ts'
import { unseenBy } from '#server/features/visibility/members.ts'
import type { Db } from '#server/tables.ts'
import { storedReason } from './stored-reason.ts'

/** A position in a list of matches: swaps first, each part by id. */
export interface Position {
  readonly isSwap: boolean
  readonly id: number
}

export interface MatchRow extends Omit<Match, 'listing' | 'reason'> {
  reason: StoredReason
  id: number
  listing_id: number
}

/** Selects want `w` as JSON. */
const matchedWant = sql`json_build_object('id', w.id, 'title', w.title, 'category_id', w.category_id) as want`

const offered = isOfferedTo('m.user_id')
const isOffered = sql.raw(offered)

/** Holds if the match is shown to the member. */
export const matchShown = `m.fits and m.dismissed_at is null and ${offered}`
export const isMatchShown = sql.raw<boolean>(matchShown)

/** Joins the listing `l` of a match `m` and its owner `o`. */
export const parties = `
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id`

/** Joins `parties`, for Kysely. */
export const withParties = sql.raw(parties)

/** Returns the condition that the listing is in one of the postal codes or has no known location. Null means no restriction. */
function isInPostalCodes(postalCodes: readonly number[] | null): RawBuilder<boolean> {
  if (postalCodes === null) return sql`true`
  return sql`(l.postal_code_id = 0 or l.postal_code_id in (select unnest(${postalCodes}::integer[])))`
}

/** Returns the matches of a member or of one want: swaps first, then the newest. */
export async function listMatchRows(
  db: Db,
  of: 'user_id' | 'want_id',
  id: number,
  after: Position,
  postalCodes: readonly number[] | null,
  limit: number,
) {
  const { rows } = await sql<MatchRow>`
    select m.id, m.listing_id, ${sql.raw(storedReason)} as reason, m.is_swap, ${matchedWant}
    from matches m ${withParties} join wants w on w.id = m.want_id
    where ${sql.ref(`m.${of}`)} = ${id} and (m.is_swap, m.id) < (${after.isSwap}, ${after.id}::bigint)
      and ${isMatchShown} and ${isInPostalCodes(postalCodes)}
    order by m.is_swap desc, m.id desc limit ${limit}`.execute(db)
  return rows
}

export async function isOwnWant(db: Db, wantId: number, userId: number): Promise<boolean> {
  const want = await db
    .selectFrom('wants')
    .select('id')
    .where('id', '=', wantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return want !== undefined
}

/** Returns how many shown listings each want matches, up to a maximum. */
export async function countMatches(db: Db, wants: readonly number[], postalCodes: readonly number[] | null) {
  const { rows } = await sql<{ id: number; listing_count: number }>`
    select g.id, c.listing_count from unnest(${wants}::bigint[]) g (id) cross join lateral (
      select count(*)::int as listing_count from (
        select from matches m ${withParties}
        where m.want_id = g.id and ${isMatchShown} and ${isInPostalCodes(postalCodes)} limit ${sql.lit(limits.page.max)}
      ) counted
    ) c`.execute(db)
  return rows
}

export function findMatchArea(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['postal_code_id', sql.raw<number | null>(matchRadius('users')).as('match_radius')])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Returns the members who want a listing: swaps first, then the newest wants. */
export async function listWantedByRows(db: Db, listing: number, after: Position, limit: number) {
  const { rows } = await sql<Omit<InterestedMember, 'reason'> & { reason: StoredReason }>`
    select ${matchedWant}, ${sql.raw(storedReason)} as reason, m.is_swap, ${sql.raw(briefMember('u'))} as user
    from matches m ${withParties} join wants w on w.id = m.want_id join users u on u.id = m.user_id
    where m.listing_id = ${listing} and (m.is_swap, m.want_id) < (${after.isSwap}, ${after.id}::bigint)
      and ${isMatchShown} and u.suspended_at is null
    order by m.is_swap desc, m.want_id desc limit ${limit}`.execute(db)
  return rows
}

/** The maximum number of matches of a listing that are read to count members. */
const maxCountedMatches = 400

/** Returns how many members want each of a member's listings before an id, newest first. */
export async function countInterestedOf(db: Db, owner: number, before: number, limit: number) {
  const { rows } = await sql<{ id: number; count: number }>`
    select own.id, c.count from (
      select id from listings where owner_id = ${owner} and id < ${before} order by id desc limit ${limit}
    ) own cross join lateral (
      select least(count(distinct m.user_id), ${sql.lit(limits.page.max)})::int as count from (
        select * from matches where listing_id = own.id and fits limit ${sql.lit(maxCountedMatches)}
      ) m ${withParties}
      cross join lateral (select suspended_at from users where id = m.user_id limit 1) u
      where ${isMatchShown} and u.suspended_at is null
    ) c
    order by own.id desc`.execute(db)
  return rows
}

/** Returns the locations of the members who have a notification that a listing matches a want of theirs. */
export async function listToldLocations(db: Db, listing: number) {
  const { rows } = await sql<{ postal_code_id: number }>`
    select distinct m.user_id, u.postal_code_id from (
      select * from matches where listing_id = ${listing} and fits limit ${sql.lit(maxCountedMatches)}
    ) m ${withParties}
    cross join lateral (select postal_code_id, suspended_at from users where id = m.user_id limit 1) u
    where ${isMatchShown} and u.suspended_at is null and exists (
      select from notifications n where n.user_id = m.user_id and n.about_type = 'listing' and n.about_id = m.listing_id
        and n.kind in ('match', 'swap') and n.from_id = m.owner_id and n.data is not null
    )`.execute(db)
  return rows.map(({ postal_code_id }) => postal_code_id)
}

/** The ids of a match. */
export interface MatchIds {
  readonly want_id: number
  readonly listing_id: number
}

/** Holds for a member's match that meets a condition. */
const isMatchOf = (user: number, { want_id, listing_id }: MatchIds, condition: RawBuilder<boolean>) =>
  sql<boolean>`(want_id, listing_id) = (
    select m.want_id, m.listing_id from matches m ${withParties}
    where m.want_id = ${want_id} and m.listing_id = ${listing_id} and m.user_id = ${user} and ${condition})`

/** Marks a shown match as dismissed. Returns the listing's owner, or undefined if the member has no such match. */
export function updateDismissed(tx: Db, user: number, match: MatchIds) {
  return tx
    .updateTable('matches')
    .set({ dismissed_at: sql`now()`, is_swap: false, mail_pending: false, push_pending: false })
    .where(isMatchOf(user, match, isMatchShown))
    .returning('owner_id')
    .executeTakeFirst()
}

/** Shows a dismissed match again. Returns the listing's owner, or undefined if the member has dismissed no such match. */
export function updateRestored(tx: Db, user: number, match: MatchIds) {
  const isDismissed = sql<boolean>`m.fits and m.dismissed_at is not null and ${isOffered}`
  return tx
    .updateTable('matches')
    .set({ dismissed_at: null })
    .where(isMatchOf(user, match, isDismissed))
    .returning('owner_id')
    .executeTakeFirst()
}

export interface InterestedRow {
  user_id: number
  title: string
  category_id: CategoryId | null
}

/** The maximum number of wants that are read to count members. */
const maxCountedWants = 400

/** Returns the newest wants of others that have one of these terms and a compatible category. */
export async function listWantsWithTerms(
  db: Db,
  terms: readonly string[],
  caller: number,
  category: number | null,
) {
  const { rows } = await sql<InterestedRow>`
    select w.user_id, w.title, w.category_id from (select ${caller}::bigint as id) me cross join (
      select distinct t.want_id from unnest(${terms}::text[]) g (term) cross join lateral (
        select want_id from want_terms
        where term = g.term and wanted and user_id <> ${caller}
          and (category_id is null or ${category}::smallint is null or category_id = ${category})
        order by want_id desc limit ${sql.lit(maxCountedWants)}
      ) t order by t.want_id desc limit ${sql.lit(maxCountedWants)}
    ) c
    cross join lateral (select * from wants where id = c.want_id limit 1) w
    where w.user_id not in (${sql.raw(unseenBy('me.id'))})`.execute(db)
  return rows
}
