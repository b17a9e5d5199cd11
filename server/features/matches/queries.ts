import { type CategoryId, limits, states } from '#contract/constants.ts'
import { type Db, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

/** From the start, a position is above all swaps. */
export interface Position {
  readonly isSwap: boolean
  readonly id: number
}

export interface MatchRow {
  id: number
  listing_id: number
  reason: string
  is_swap: boolean
  want_id: number
  want_title: string
  want_category_id: CategoryId | null
}

/** Holds where the member of match `m` may see its listing `l` of the owner `o`, and can have it. The pairwise form of `visibleTo`. */
export const isOffered = `l.is_active and l.state_id <> ${states.gone} and l.hidden_at is null and o.suspended_at is null
  and (l.is_public or exists (
    select from friendships f where f.low_id = least(m.user_id, m.owner_id) and f.high_id = greatest(m.user_id, m.owner_id)
      and f.status = 'accepted'
  ))
  and not exists (select from blocks b where b.blocker_id = m.user_id and b.blocked_id = m.owner_id)
  and not exists (select from blocks b where b.blocker_id = m.owner_id and b.blocked_id = m.user_id)`

/** Holds where the match is shown. */
export const seen = `m.fits and m.dismissed_at is null and ${isOffered}`

/** Near enough; an unknown location passes. Null is anywhere. */
const near = (places: string) =>
  `(${places}::integer[] is null or l.postal_code_id = 0 or l.postal_code_id in (select unnest(${places}::integer[])))`

export const parties = `
  cross join lateral (select * from listings where id = m.listing_id limit 1) l
  join users o on o.id = l.owner_id`

type Values = [id: number, isSwap: boolean, before: number, places: number[] | null, limit: number]

const matchRows = (where: string) =>
  statement<Values, MatchRow>(
    `select m.id, m.listing_id, m.reason, m.is_swap, m.want_id, w.title as want_title, w.category_id as want_category_id
     from matches m ${parties} join wants w on w.id = m.want_id
     where ${where} and (m.is_swap, m.id) < ($2, $3::bigint) and ${seen} and ${near('$4')}
     order by m.is_swap desc, m.id desc limit $5`,
  )
const ofMember = matchRows('m.user_id = $1')
const ofWant = matchRows('m.want_id = $1')

export interface Page {
  readonly before: Position
  readonly places: readonly number[] | undefined
  readonly limit: number
}

function values(id: number, { before, places, limit }: Page): Values {
  return [id, before.isSwap, before.id, places ? [...places] : null, limit]
}

/** Returns a member's matches: swaps first, then the newest. */
export function listMatchRows(db: Db<Tables>, userId: number, page: Page): Promise<MatchRow[]> {
  return ofMember(db, ...values(userId, page))
}

/** Returns the matches of one want. */
export function listMatchRowsOf(db: Db<Tables>, wantId: number, page: Page): Promise<MatchRow[]> {
  return ofWant(db, ...values(wantId, page))
}

const ownWant = statement<[id: number, userId: number], { id: number }>(
  'select id from wants where id = $1 and user_id = $2',
)

export async function isOwnWant(db: Db<Tables>, wantId: number, userId: number): Promise<boolean> {
  return (await ownWant(db, wantId, userId)).length > 0
}

const counts = statement<[wants: number[], places: number[] | null], { id: number; fitting: number }>(
  `select g.id, c.fitting from unnest($1::bigint[]) g (id) cross join lateral (
     select count(*)::int as fitting from (
       select from matches m ${parties} where m.want_id = g.id and ${seen} and ${near('$2')} limit ${limits.page.max}
     ) counted
   ) c`,
)

/** How many listings fit each want, as far as they are counted. */
export function countMatches(
  db: Db<Tables>,
  wants: readonly number[],
  places: readonly number[] | undefined,
): Promise<{ id: number; fitting: number }[]> {
  return counts(db, [...wants], places ? [...places] : null)
}

const reach = statement<[id: number], { postal_code_id: number; match_radius: number | null }>(
  'select postal_code_id, match_radius from users where id = $1',
)

export async function findReach(db: Db<Tables>, userId: number) {
  const [row] = await reach(db, userId)
  return row
}

export interface WantedByRow {
  want_id: number
  want_title: string
  want_category_id: CategoryId | null
  reason: string
  is_swap: boolean
  user_id: number
  username: string
  picture_name: string | null
}

const wantedBy = statement<[listing: number, isSwap: boolean, before: number, limit: number], WantedByRow>(
  `select m.want_id, w.title as want_title, w.category_id as want_category_id, m.reason, m.is_swap,
     m.user_id, u.username, u.picture_name
   from matches m ${parties} join wants w on w.id = m.want_id join users u on u.id = m.user_id
   where m.listing_id = $1 and (m.is_swap, m.want_id) < ($2, $3::bigint) and ${seen} and u.suspended_at is null
   order by m.is_swap desc, m.want_id desc limit $4`,
)

/** Returns the members who want a listing: swaps first, then the newest wants. */
export function listWantedByRows(
  db: Db<Tables>,
  listing: number,
  before: Position,
  limit: number,
): Promise<WantedByRow[]> {
  return wantedBy(db, listing, before.isSwap, before.id, limit)
}

/** The most matches that are counted to say how many members want a listing. */
const matchesLookedAt = 400

const interestedMembers = statement<
  [owner: number, before: number, limit: number],
  { id: number; count: number }
>(
  `select own.id, c.count from (
     select id from listings where owner_id = $1 and id < $2 order by id desc limit $3
   ) own cross join lateral (
     select least(count(distinct m.user_id), ${limits.page.max})::int as count from (
       select * from matches where listing_id = own.id and fits limit ${matchesLookedAt}
     ) m ${parties}
     cross join lateral (select suspended_at from users where id = m.user_id limit 1) u
     where ${seen} and u.suspended_at is null
   ) c
   order by own.id desc`,
)

/** How many members want each of a member's listings, newest first from below one on. */
export function countInterestedOf(
  db: Db<Tables>,
  owner: number,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<{ id: number; count: number }[]> {
  return interestedMembers(db, owner, before, limit)
}

const dismissed = statement<[want: number, listing: number, user: number], { owner_id: number }>(
  `update matches set dismissed_at = now(), is_swap = false, mail_pending = false, push_pending = false
   where (want_id, listing_id) = (
     select m.want_id, m.listing_id from matches m ${parties}
     where m.want_id = $1 and m.listing_id = $2 and m.user_id = $3 and ${seen}
   )
   returning owner_id`,
)

/** Returns whose listing it is; undefined when the member has no such match. */
export async function updateDismissed(
  tx: Db<Tables>,
  { want_id, listing_id }: { want_id: number; listing_id: number },
  userId: number,
): Promise<number | undefined> {
  const [match] = await dismissed(tx, want_id, listing_id, userId)
  return match?.owner_id
}

const restored = statement<[want: number, listing: number, user: number], { owner_id: number }>(
  `update matches set dismissed_at = null
   where (want_id, listing_id) = (
     select m.want_id, m.listing_id from matches m ${parties}
     where m.want_id = $1 and m.listing_id = $2 and m.user_id = $3 and m.fits and m.dismissed_at is not null and ${isOffered}
   )
   returning owner_id`,
)

/** Returns whose listing it is; undefined when the member has dismissed no such match. */
export async function updateRestored(
  tx: Db<Tables>,
  { want_id, listing_id }: { want_id: number; listing_id: number },
  userId: number,
): Promise<number | undefined> {
  const [match] = await restored(tx, want_id, listing_id, userId)
  return match?.owner_id
}

const deletedNotifications = statement<[want: number, listing: number], object>(
  'delete from notifications where want_id = $1 and listing_id = $2',
)

export async function deleteNotificationsOf(
  tx: Db<Tables>,
  wantId: number,
  listingId: number,
): Promise<void> {
  await deletedNotifications(tx, wantId, listingId)
}

export interface InterestedRow {
  user_id: number
  title: string
}

/** The most wants that are counted to say how many members want something. */
const wantsLookedAt = 400

const interestedIn = statement<[terms: string[], caller: number, category: number | null], InterestedRow>(
  `select w.user_id, w.title from (
     select distinct t.want_id from unnest($1::text[]) g (term) cross join lateral (
       select want_id from want_terms
       where term = g.term and wanted and user_id <> $2
         and (category_id is null or $3::smallint is null or category_id = $3)
       order by want_id desc limit ${wantsLookedAt}
     ) t order by t.want_id desc limit ${wantsLookedAt}
   ) c
   cross join lateral (select * from wants where id = c.want_id limit 1) w
   join users u on u.id = w.user_id
   where u.suspended_at is null
     and not exists (select from blocks b where b.blocker_id = $2 and b.blocked_id = w.user_id)
     and not exists (select from blocks b where b.blocker_id = w.user_id and b.blocked_id = $2)`,
)

export function listWantingNow(
  db: Db<Tables>,
  caller: number,
  terms: readonly string[],
  category: number | null,
): Promise<InterestedRow[]> {
  return interestedIn(db, [...terms], caller, category)
}
