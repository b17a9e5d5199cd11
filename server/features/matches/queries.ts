import { limits, states } from '#contract/constants.ts'
import type { InterestedMember, Match } from '#contract/matches.ts'
import { isShown } from '#server/features/listings/visibility.ts'
import { isUnblocked } from '#server/features/members/blocks.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { rowStatement, statement } from '#server/platform/db/database.ts'
import type { Db } from '#server/tables.ts'

/** A position in a list of matches: swaps first, each part by id. */
export interface Position {
  readonly isSwap: boolean
  readonly id: number
}

export interface MatchRow extends Omit<Match, 'listing'> {
  id: number
  listing_id: number
}

/** Selects want `w` as JSON. */
const matchedWant = "json_build_object('id', w.id, 'title', w.title, 'category_id', w.category_id) as want"

/** Holds if the member of match `m` may see its listing `l` of the owner `o` and it is not gone. Like `visibleTo`, for one pair. */
export const isOffered = `${isShown} and l.state_id <> ${states.gone} and o.suspended_at is null
  and (l.is_public or exists (
    select from friendships f where f.low_id = least(m.user_id, m.owner_id) and f.high_id = greatest(m.user_id, m.owner_id)
      and f.status = 'accepted'
  ))
  and ${isUnblocked('m.user_id', 'm.owner_id')}`

/** Holds if the match is shown to the member. */
export const isMatchShown = `m.fits and m.dismissed_at is null and ${isOffered}`

/** Returns the condition that the listing is in one of the postal codes or has no known location. Null means no restriction. */
const isInPostalCodes = (postalCodes: string) =>
  `(${postalCodes}::integer[] is null or l.postal_code_id = 0 or l.postal_code_id in (select unnest(${postalCodes}::integer[])))`

/** Joins the listing `l` of a match `m` and its owner `o`. */
export const parties = `
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id`

type Values = [
  id: number,
  isSwap: boolean,
  before: number,
  postalCodes: readonly number[] | null,
  limit: number,
]

const matchRows = (where: string) =>
  statement<Values, MatchRow>(
    `select m.id, m.listing_id, m.reason, m.is_swap, ${matchedWant}
     from matches m ${parties} join wants w on w.id = m.want_id
     where ${where} and (m.is_swap, m.id) < ($2, $3::bigint) and ${isMatchShown} and ${isInPostalCodes('$4')}
     order by m.is_swap desc, m.id desc limit $5`,
  )
/** Return the matches of a member or of one want: swaps first, then the newest. */
export const listMatchRows = matchRows('m.user_id = $1')
export const listMatchRowsOf = matchRows('m.want_id = $1')

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
export const countMatches = statement<
  [wants: readonly number[], postalCodes: readonly number[] | null],
  { id: number; listing_count: number }
>(
  `select g.id, c.listing_count from unnest($1::bigint[]) g (id) cross join lateral (
     select count(*)::int as listing_count from (
       select from matches m ${parties} where m.want_id = g.id and ${isMatchShown} and ${isInPostalCodes('$2')} limit ${limits.page.max}
     ) counted
   ) c`,
)

export function findMatchArea(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['postal_code_id', 'match_radius'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Returns the members who want a listing: swaps first, then the newest wants. */
export const listWantedByRows = statement<
  [listing: number, isSwap: boolean, before: number, limit: number],
  InterestedMember
>(
  `select ${matchedWant}, m.reason, m.is_swap,
     ${briefMember('u')} as user
   from matches m ${parties} join wants w on w.id = m.want_id join users u on u.id = m.user_id
   where m.listing_id = $1 and (m.is_swap, m.want_id) < ($2, $3::bigint) and ${isMatchShown} and u.suspended_at is null
   order by m.is_swap desc, m.want_id desc limit $4`,
)

/** The maximum number of matches of a listing that are read to count members. */
const maxCountedMatches = 400

/** Returns how many members want each of a member's listings before an id, newest first. */
export const countInterestedOf = statement<
  [owner: number, before: number, limit: number],
  { id: number; count: number }
>(
  `select own.id, c.count from (
     select id from listings where owner_id = $1 and id < $2 order by id desc limit $3
   ) own cross join lateral (
     select least(count(distinct m.user_id), ${limits.page.max})::int as count from (
       select * from matches where listing_id = own.id and fits limit ${maxCountedMatches}
     ) m ${parties}
     cross join lateral (select suspended_at from users where id = m.user_id limit 1) u
     where ${isMatchShown} and u.suspended_at is null
   ) c
   order by own.id desc`,
)

/** Marks a shown match as dismissed. Returns the listing's owner, or undefined if the member has no such match. */
export const updateDismissed = rowStatement<
  [want: number, listing: number, user: number],
  { owner_id: number }
>(
  `update matches set dismissed_at = now(), is_swap = false, mail_pending = false, push_pending = false
   where (want_id, listing_id) = (
     select m.want_id, m.listing_id from matches m ${parties}
     where m.want_id = $1 and m.listing_id = $2 and m.user_id = $3 and ${isMatchShown}
   )
   returning owner_id`,
)

/** Shows a dismissed match again. Returns the listing's owner, or undefined if the member has dismissed no such match. */
export const updateRestored = rowStatement<
  [want: number, listing: number, user: number],
  { owner_id: number }
>(
  `update matches set dismissed_at = null
   where (want_id, listing_id) = (
     select m.want_id, m.listing_id from matches m ${parties}
     where m.want_id = $1 and m.listing_id = $2 and m.user_id = $3 and m.fits and m.dismissed_at is not null and ${isOffered}
   )
   returning owner_id`,
)

export interface InterestedRow {
  user_id: number
  title: string
}

/** The maximum number of wants that are read to count members. */
const maxCountedWants = 400

/** Returns the newest wants of others that have one of these terms and a compatible category. */
export const listWantsWithTerms = statement<
  [terms: readonly string[], caller: number, category: number | null],
  InterestedRow
>(
  `select w.user_id, w.title from (
     select distinct t.want_id from unnest($1::text[]) g (term) cross join lateral (
       select want_id from want_terms
       where term = g.term and wanted and user_id <> $2
         and (category_id is null or $3::smallint is null or category_id = $3)
       order by want_id desc limit ${maxCountedWants}
     ) t order by t.want_id desc limit ${maxCountedWants}
   ) c
   cross join lateral (select * from wants where id = c.want_id limit 1) w
   join users u on u.id = w.user_id
   where u.suspended_at is null and ${isUnblocked('$2', 'w.user_id')}`,
)
