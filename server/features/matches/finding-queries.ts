import { sql } from 'kysely'
import pg from 'pg'
import { types } from '#contract/constants.ts'
import { anyTermQuery } from '#server/features/listings/lexemes.ts'
import { isRepeated } from '#server/features/listings/repeated.ts'
import { matchRadius } from '#server/features/members/match-radius.ts'
import { isCurrent, isOfferedTo, isOnOffer, isWithheld } from '#server/features/visibility/listings.ts'
import {
  areBlocked,
  areFriends,
  blockedWith,
  existsPerRow,
  friendsOf,
} from '#server/features/visibility/members.ts'
import { rowStatement, runUnprepared, statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Row } from '#server/tables.ts'
import { parties } from './queries.ts'

export interface OfferedListing
  extends Pick<
    Row<'listings'>,
    'id' | 'owner_id' | 'title' | 'description' | 'category_id' | 'type_id' | 'is_public' | 'postal_code_id'
  > {
  is_on_offer: boolean
  text_hash: string
  /** True if the operator has hidden the listing or suspended its owner. */
  is_withheld: boolean
  /** True if its owner has listed an equal one before, whose matches were told. */
  is_repeated: boolean
}

/** A hash of the texts of listing `l`. */
const textHash = `hashtextextended(l.title || E'\\n' || l.description, 0)::text`

const listingColumns = `l.id, l.owner_id, l.title, l.description, l.category_id, l.type_id,
  ${isOnOffer} as is_on_offer, l.is_public, l.postal_code_id, ${textHash} as text_hash, ${isWithheld} as is_withheld, ${isRepeated} as is_repeated`

/** Locks a listing until the transaction ends. */
export const lockListing = rowStatement<[id: number], OfferedListing>(
  `select ${listingColumns} from listings l join users o on o.id = l.owner_id where l.id = $1 for share of l`,
)

/**
 * Sets asynchronous commit and generic plans for the transaction of a job. A crash may lose the commit, but then also the later one
 * that completes the job, so the job runs again. Without generic plans PostgreSQL would plan each statement for its arrays.
 */
export const setTransactionOptions = statement<[], object>(
  `select set_config('synchronous_commit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
)

/** A member with wants and the settings for notifications. */
export interface InterestedMember
  extends Pick<Row<'users'>, 'postal_code_id' | 'match_radius' | 'mail_matches' | 'time_zone'> {
  user_id: number
  has_push: boolean
  is_suspended: boolean
}

export type LockedWant = InterestedMember & Pick<Row<'wants'>, 'id' | 'title' | 'category_id'>

export const interested = `u.id as user_id, u.postal_code_id, ${matchRadius('u')} as match_radius, u.mail_matches, u.time_zone,
  u.suspended_at is not null as is_suspended,
  ${existsPerRow('push_subscriptions p where p.user_id = u.id')} as has_push`

/** Locks a want until the transaction ends. */
export const lockWant = rowStatement<[id: number], LockedWant>(
  `select w.id, w.title, w.category_id, ${interested} from wants w join users u on u.id = w.user_id where w.id = $1 for share of w`,
)

export interface WantCandidate extends LockedWant {
  /** True if the match is stored already. */
  fits: boolean
  is_either_blocked: boolean
}

/** The number of wants that one transaction reads. */
export const wantBatchSize = 1000

/** Selects the wants after $2 that match already, to check them again. */
const matchedWants = ['true', 'false']
  .map(
    (
      isSwap,
    ) => `(select want_id, true as fits from matches where listing_id = $1 and is_swap = ${isSwap} and want_id > $2 and fits
      order by want_id limit ${wantBatchSize})`,
  )
  .join(' union all ')

const wantCandidates = (candidates: string) => `
  select w.id, w.title, w.category_id, ${interested}, c.fits, u.id in (${blockedWith('$4::bigint')}) as is_either_blocked
  from (
    select want_id, bool_or(fits) as fits from (${matchedWants} union all (${candidates})) found
    group by want_id order by want_id limit ${wantBatchSize}
  ) c
  cross join lateral (select * from wants where id = c.want_id limit 1) w
  cross join lateral (select * from users where id = w.user_id limit 1) u
  order by w.id`

type Parameters = [listing: number, after: number, terms: readonly string[], owner: number]

/** Returns wants after an id that have one of these terms and a compatible category, or that match already. */
export const listWantCandidates = statement<[...Parameters, category: number | null], WantCandidate>(
  wantCandidates(`
    select t.want_id, false from unnest($3::text[]) g (term) cross join lateral (
      select want_id from want_terms
      where term = g.term and wanted and want_id > $2 and user_id <> $4
        and (category_id is null or $5::smallint is null or category_id = $5)
      order by want_id limit ${wantBatchSize}
    ) t`),
)

/** Returns wants after an id of these members only that have one of these terms, or of any member that match already. */
export const listWantCandidatesAmong = statement<[...Parameters, members: readonly number[]], WantCandidate>(
  wantCandidates(`
    select w.id, false from unnest($5::bigint[]) g (id) join wants w on w.user_id = g.id
    where w.id > $2 and w.user_id <> $4 and exists (
      select from want_terms t where t.want_id = w.id and t.wanted and t.term = any ($3::text[])
    )`),
)

const friendIds = statement<[userId: number], { id: number }>(`select f.id from (${friendsOf('$1')}) f (id)`)

export async function listFriendIds(db: Db, userId: number): Promise<number[]> {
  return (await friendIds(db, userId)).map(({ id }) => id)
}

export interface ListingCandidate extends OfferedListing {
  is_friend: boolean
  is_either_blocked: boolean
}

/** The number of listings that one transaction reads. */
export const listingBatchSize = 100

const newestWithTerms = (query: string, condition: string) => `
  select l.id from listings l where l.search @@ ${query} and l.id < $2 and ${isCurrent} and ${condition} order by l.id desc limit ${listingBatchSize}`

const listingCandidates = statement<[userId: number, ids: readonly number[]], ListingCandidate>(
  `select ${listingColumns}, l.owner_id in (${blockedWith('$1::bigint')}) as is_either_blocked,
     ${areFriends('$1::bigint', 'l.owner_id')} as is_friend
   from unnest($2::bigint[]) c (id)
   cross join lateral (select * from listings where id = c.id limit 1) l
   join users o on o.id = l.owner_id
   order by l.id desc`,
)

/** Returns public and friends' listings before an id that have one of these terms, newest first. */
export async function listListingCandidates(
  tx: Db,
  want: LockedWant,
  terms: readonly string[],
  before: number,
): Promise<ListingCandidate[]> {
  // A literal, because the planner needs the terms to estimate the rows, and jobs use generic plans.
  const query = `${pg.escapeLiteral(anyTermQuery(terms))}::tsquery`
  const isPublic = 'l.is_public and l.is_active'
  const isOfFriend = `not (${isPublic}) and l.owner_id = any (array(${friendsOf('$1::bigint')}))`
  const text = `(${newestWithTerms(query, isPublic)}) union all (${newestWithTerms(query, isOfFriend)})
    order by id desc limit ${listingBatchSize}`
  const found = await runUnprepared<{ id: number }>(tx, { text, values: [want.user_id, before] })
  const ids = found.map(({ id }) => id)
  return ids.length > 0 ? listingCandidates(tx, want.user_id, ids) : []
}

/** A match to store. `want_title` and `text_hash` are of the texts that were matched. */
export interface MatchToStore
  extends Pick<
    Row<'matches'>,
    'want_id' | 'listing_id' | 'user_id' | 'owner_id' | 'kind' | 'reason' | 'why'
  > {
  readonly want_title: string
  readonly text_hash: string
  readonly by_mail: boolean
  readonly by_push: boolean
}

export interface StoredMatch extends Pick<Row<'matches'>, 'want_id' | 'listing_id'> {
  is_new: boolean
  /** True if the match was stored before and did not fit. */
  fits_again: boolean
}

const upsertMatches = statement<[matches: string], StoredMatch>(
  `with found as (
     select * from json_to_recordset($1::json) as x (
       want_id bigint, listing_id bigint, user_id bigint, owner_id bigint, kind text, reason text, why jsonb, want_title text,
       text_hash text, by_mail boolean, by_push boolean)
   ), locked as materialized (
     select x.* from found x
     join wants w on w.id = x.want_id and w.title = x.want_title
     join listings l on l.id = x.listing_id and ${textHash} = x.text_hash
     order by x.want_id, x.listing_id for share of w, l
   ), unfit as materialized (
     select x.want_id, x.listing_id from locked x cross join lateral (
       select fits from matches where want_id = x.want_id and listing_id = x.listing_id limit 1
     ) m where not m.fits
   ), stored as (
     insert into matches (want_id, listing_id, user_id, owner_id, kind, reason, why, mail_pending, push_pending)
     select want_id, listing_id, user_id, owner_id, kind, reason, why, by_mail, by_push from locked
     on conflict (want_id, listing_id) do update set fits = true, kind = excluded.kind, reason = excluded.reason, why = excluded.why
       where not matches.fits or (matches.kind, matches.why) is distinct from (excluded.kind, excluded.why)
     returning want_id, listing_id, xmax = 0 as is_new
   )
   select s.*, exists (select from unfit u where u.want_id = s.want_id and u.listing_id = s.listing_id) as fits_again
   from stored s`,
)

/** Stores the matches whose wants and listings still have the texts that were matched. Returns those that are new or changed. */
export function insertMatches(tx: Db, matches: readonly MatchToStore[]): Promise<StoredMatch[]> {
  return upsertMatches(tx, JSON.stringify(matches))
}

/** Marks matches of a listing as no longer fitting. A pending mail names them if they fit again by then. */
export async function updateUnfit(tx: Db, listing: number, wants: readonly number[]): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ fits: false, is_swap: false })
    .where('listing_id', '=', listing)
    .where('want_id', '=', anyOf(wants))
    .execute()
}

/** Marks all matches of a want as no longer fitting. */
export async function updateUnfitWant(tx: Db, want: number): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ fits: false, is_swap: false })
    .where('want_id', '=', want)
    .where(({ ref }) => ref('fits'))
    .execute()
}

/**
 * Selects a member's matches with listings of an owner. `may_be` holds if a match may be part of a swap: for exchange, not dismissed, and
 * visible to the member, because a swap would reveal it.
 */
const between = (user: string, owner: string) => `
  select m.*, l.type_id = ${types.exchange} and m.dismissed_at is null and ${isOfferedTo('m.user_id')} as may_be
  from matches m ${parties}
  where m.user_id = ${user} and m.owner_id = ${owner} and m.fits`

/** A match that has become a swap or has stopped being one. */
export interface SwapRow extends Pick<MatchToStore, 'want_id' | 'listing_id' | 'user_id' | 'owner_id'> {
  is_swap: boolean
  /** True if the member may see the listing. */
  is_visible: boolean
}

/** Updates which matches between a member and others are swaps. Returns the changed matches. */
export const updateSwaps = statement<[member: number, others: readonly number[]], SwapRow>(
  `with others as materialized (
     select owner_id as id from matches where owner_id = any ($2::bigint[]) and user_id = $1
     union select user_id from matches where owner_id = $1 and user_id = any ($2::bigint[]) and is_swap
   ), pairs as materialized (
     select x.id as other, m.want_id, m.listing_id, m.user_id, m.owner_id, m.may_be
     from others x cross join lateral (
       (${between('x.id', '$1::bigint')}) union all (${between('$1::bigint', 'x.id')})
     ) m
   ), mutual as (
     select other, bool_or(may_be and user_id = other) and bool_or(may_be and owner_id = other) as is_mutual
     from pairs group by other
   )
   update matches m set is_swap = p.may_be and t.is_mutual
   from pairs p join mutual t on t.other = p.other
   where m.want_id = p.want_id and m.listing_id = p.listing_id and m.is_swap <> (p.may_be and t.is_mutual)
   returning m.want_id, m.listing_id, m.user_id, m.owner_id, m.is_swap,
     not ${areBlocked('m.user_id', 'm.owner_id')}
     and not exists (select from users u where u.id in (m.user_id, m.owner_id) and u.suspended_at is not null)
     and not ${existsPerRow('listings l where l.id = m.listing_id and l.hidden_at is not null')} as is_visible`,
)

/** Returns the members who could swap because of these wants or listings. */
export function listSwappers(tx: Db, by: 'want' | 'listing', ids: readonly number[]) {
  return tx
    .selectFrom('matches')
    .select(['user_id', 'owner_id'])
    .distinct()
    .where(`${by}_id`, '=', anyOf(ids))
    .where(({ ref }) => ref('is_swap'))
    .execute()
}

/** Deletes all matches of these wants or listings. */
export async function deleteMatchesOf(tx: Db, by: 'want' | 'listing', ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('matches').where(`${by}_id`, '=', anyOf(ids)).execute()
}

/** Returns a member's listings on offer, newest first. */
export function listOffersOf(db: Db, owner: number, limit: number) {
  return db
    .selectFrom('listings as l')
    .select(['l.id', 'l.is_public'])
    .where('l.owner_id', '=', owner)
    .where(sql.raw<boolean>(isOnOffer))
    .orderBy('l.id', 'desc')
    .limit(limit)
    .execute()
}

export async function listWantIdsOf(db: Db, userId: number): Promise<number[]> {
  const wants = await db
    .selectFrom('wants')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return wants.map(({ id }) => id)
}
