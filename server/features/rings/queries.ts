import { sql } from 'kysely'
import { states, types } from '#contract/constants.ts'
import type { BriefMember } from '#contract/fields.ts'
import { type LegListingRow, shownListing } from '#server/features/listings/leg-listing.ts'
import { storedReason } from '#server/features/matches/stored-reason.ts'
import type { StoredReason } from '#server/features/matching/explain.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { matchRadius } from '#server/features/members/match-radius.ts'
import { isCurrent, isPublished } from '#server/features/visibility/listings.ts'
import { areBlocked } from '#server/features/visibility/members.ts'
import { deleteInBatches, statement } from '#server/platform/db/database.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import { keyOfRing } from './key.ts'

/** Holds for listings that can be part of a ring: public, not promised, and an exchange or an opened giveaway. */
const isOpen = `${isPublished} and ${isCurrent} and l.state_id = ${states.available}
  and (l.type_id = ${types.exchange} or l.type_id = ${types.giveaway} and l.open_to_rings)`

/** Holds for matches that lead from a giver to a taker. With a swap the two need no ring. */
const isUsableMatch = 'm.fits and m.dismissed_at is null and not m.is_swap'

/** The maximum numbers of listings, wants and matches that each step of the search follows. */
const fanOut = { listings: 20, wantsOfListing: 10, edges: 40 }

export interface MatchKey {
  readonly want_id: number
  readonly listing_id: number
}

/** Selects matches that a ring may have, the newest wants first. */
function selectOpenMatches(db: Db, limit: number) {
  return db
    .selectFrom('matches as m')
    .innerJoin('listings as l', 'l.id', 'm.listing_id')
    .select(['m.want_id', 'm.listing_id'])
    .where(sql.raw<boolean>(`${isUsableMatch} and ${isOpen}`))
    .orderBy('m.want_id', 'desc')
    .limit(limit)
}

/** Returns those of the matches that a ring may have. */
export function listOpenMatches(db: Db, matches: readonly MatchKey[], limit: number): Promise<MatchKey[]> {
  const wants = matches.map(({ want_id }) => want_id)
  const listings = matches.map(({ listing_id }) => listing_id)
  return selectOpenMatches(db, limit)
    .innerJoin(
      sql<MatchKey>`unnest(${wants}::bigint[], ${listings}::bigint[])`.as<'x'>(sql`x (want_id, listing_id)`),
      (join) => join.onRef('x.want_id', '=', 'm.want_id').onRef('x.listing_id', '=', 'm.listing_id'),
    )
    .execute()
}

/** Returns the matches of a listing that a ring may have. */
export function listOpenMatchesOfListing(db: Db, listing: number, limit: number): Promise<MatchKey[]> {
  return selectOpenMatches(db, limit).where('m.listing_id', '=', listing).execute()
}

/** Returns the matches of a member's listings that a ring may have. */
export async function listOpenMatchesOfGiver(db: Db, giver: number, limit: number): Promise<MatchKey[]> {
  const { rows } = await sql<MatchKey>`
    select m.want_id, m.listing_id from listings l
    cross join lateral (
      select * from matches m where m.listing_id = l.id and ${sql.raw(isUsableMatch)}
      order by m.want_id desc limit ${sql.lit(fanOut.wantsOfListing)}
    ) m
    where l.owner_id = ${giver} and ${sql.raw(isOpen)} order by l.id desc, m.want_id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export interface RingRow {
  /** The wants of the legs in the order of giving, from the match at which the search starts. */
  wants: number[]
  listings: number[]
  /** The givers; the taker of a leg is the giver of the next. */
  members: number[]
}

/**
 * Returns the rings that go through a match. Searches from both ends: the listings that the taker of the match could give, and those that
 * its giver could get. Joins them directly for rings of three, by one match in between for rings of four.
 */
export const listRingsOfMatch = statement<[want: number, listing: number], RingRow>(`
  with start as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver, m.user_id as taker
    from matches m join listings l on l.id = m.listing_id
    where m.want_id = $1 and m.listing_id = $2 and ${isUsableMatch} and ${isOpen}
  ), onward as materialized (
    select m.want_id, m.listing_id, m.user_id as taker
    from start
    cross join lateral (
      select l.id from listings l where l.owner_id = start.taker and ${isOpen} order by l.id desc limit ${fanOut.listings}
    ) l
    cross join lateral (
      select * from matches m where m.listing_id = l.id and ${isUsableMatch} order by m.want_id desc limit ${fanOut.wantsOfListing}
    ) m
    where m.user_id not in (start.giver, start.taker)
    limit ${fanOut.edges}
  ), back as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver
    from start
    cross join lateral (
      select * from matches m where m.user_id = start.giver and ${isUsableMatch} order by m.id desc limit ${fanOut.edges}
    ) m
    join listings l on l.id = m.listing_id
    where m.owner_id not in (start.giver, start.taker) and ${isOpen}
  ), middle as materialized (
    select m.want_id, m.listing_id, m.owner_id as giver, m.user_id as taker
    from (select distinct giver from back) b
    cross join lateral (
      select * from matches m
      where m.user_id = b.giver and m.owner_id = any (array(select taker from onward)) and ${isUsableMatch}
      limit ${fanOut.edges}
    ) m
    join listings l on l.id = m.listing_id
    where ${isOpen} and m.owner_id <> m.user_id
  )
  select to_json(array[s.want_id, o.want_id, b.want_id]) as wants,
    to_json(array[s.listing_id, o.listing_id, b.listing_id]) as listings,
    to_json(array[s.giver, s.taker, o.taker]) as members
  from start s cross join onward o join back b on b.giver = o.taker
  union all
  select to_json(array[s.want_id, o.want_id, m.want_id, b.want_id]),
    to_json(array[s.listing_id, o.listing_id, m.listing_id, b.listing_id]),
    to_json(array[s.giver, s.taker, o.taker, b.giver])
  from start s cross join onward o join middle m on m.giver = o.taker join back b on b.giver = m.taker
  where b.giver <> o.taker`)

export type RingMember = Awaited<ReturnType<typeof listRingMembers>>[number]

export function listRingMembers(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('users')
    .select(['id', 'postal_code_id', sql.raw<number | null>(matchRadius('users')).as('match_radius')])
    .where('id', '=', anyOf(ids))
    .where('suspended_at', 'is', null)
    .execute()
}

export interface NewRing extends RingRow {
  readonly miles: number
}

/** Stores rings. Returns those that are new. */
export async function insertRings(tx: Db, rings: readonly NewRing[]) {
  const records = rings.map((ring) => ({ ...ring, listing_ids: keyOfRing(ring.listings) }))
  const { rows } = await sql<{ id: number; members: number[] }>`
    with found as materialized (
      select * from json_to_recordset(${JSON.stringify(records)}::json) as x (
        listing_ids bigint[], miles real, wants bigint[], listings bigint[], members bigint[])
    ), stored as (
      insert into rings (listing_ids, size, miles)
      select listing_ids, cardinality(members), miles from found
      on conflict (listing_ids) do nothing returning id, listing_ids
    ), legs as (
      insert into ring_legs (ring_id, place, want_id, listing_id, giver_id, taker_id)
      select s.id, n, f.wants[n], f.listings[n], f.members[n], f.members[n % cardinality(f.members) + 1]
      from stored s join found f on f.listing_ids = s.listing_ids cross join generate_series(1, cardinality(f.members)) n
    )
    select s.id, to_json(f.members) as members from stored s join found f on f.listing_ids = s.listing_ids`.execute(
    tx,
  )
  return rows
}

export interface SuggestedLegRow extends LegListingRow {
  ring_id: number
  taker_id: number
  reason: StoredReason
  giver: BriefMember
  taker: BriefMember
}

/** A stored ring whose matches fit, whose listings are open to rings, and whose members have no blocks among each other. */
export interface ValidRing {
  id: number
  size: number
  /** The givers in the order of giving. */
  members: number[]
  listings: number[]
}

/** The number of a member's stored rings that are checked. */
const consideredRings = 100

/** Holds for a valid ring `r`, except for its members' locations and suspensions, which `milesOf` checks. */
const isValidRing = `(
  select count(*) from ring_legs leg
  join matches m on m.want_id = leg.want_id and m.listing_id = leg.listing_id
  join listings l on l.id = leg.listing_id
  where leg.ring_id = r.id and ${isUsableMatch} and ${isOpen}
) = r.size and not exists (
  select from ring_legs one join ring_legs other on other.ring_id = one.ring_id and other.place > one.place
  where one.ring_id = r.id and ${areBlocked('one.giver_id', 'other.giver_id')}
)`

/**
 * Returns the valid rings that a member could propose if the members live near enough to each other, without those in which the member
 * gives one of these listings.
 */
export async function listValidRings(db: Db, member: number, given: readonly number[]): Promise<ValidRing[]> {
  const { rows } = await sql<ValidRing>`
    with considered as materialized (
      select r.* from ring_legs mine join rings r on r.id = mine.ring_id
      where mine.giver_id = ${member}
      order by r.size, r.miles, r.id desc limit ${sql.lit(consideredRings)}
    )
    select r.id, r.size,
      (select json_agg(leg.giver_id order by leg.place) from ring_legs leg where leg.ring_id = r.id) as members,
      (select json_agg(leg.listing_id order by leg.place) from ring_legs leg where leg.ring_id = r.id) as listings
    from considered r
    where ${sql.raw(isValidRing)} and not exists (
      select from ring_legs leg
      where leg.ring_id = r.id and leg.giver_id = ${member} and leg.listing_id = any (${given}::bigint[])
    )`.execute(db)
  return rows
}

/** Returns whether a ring with this key is stored and not valid any more. */
export async function isBrokenRing(db: Db, key: readonly number[]): Promise<boolean> {
  const ring = await db
    .selectFrom('rings as r')
    .select('r.id')
    .where('r.listing_ids', '=', sql.val([...key]))
    .where(sql.raw<boolean>(`not (${isValidRing})`))
    .executeTakeFirst()
  return ring !== undefined
}

/** Deletes stored rings of the same listings as these that are not valid any more: their matches or their order of giving differ. */
export async function deleteBrokenRings(tx: Db, rings: readonly RingRow[]): Promise<void> {
  const keys = JSON.stringify(rings.map(({ listings }) => ({ listing_ids: keyOfRing(listings) })))
  await sql`
    delete from rings r using json_to_recordset(${keys}::json) as x (listing_ids bigint[])
    where r.listing_ids = x.listing_ids and not (${sql.raw(isValidRing)})`.execute(tx)
}

/** Returns the legs of rings as a member sees them, ring by ring. */
export async function listSuggestedLegs(db: Db, member: number, rings: readonly number[]) {
  const { rows } = await sql<SuggestedLegRow>`
    select leg.ring_id, leg.listing_id, leg.giver_id, leg.taker_id, ${sql.raw(storedReason)} as reason,
      listing.title, listing.type_id, listing.price, listing.drawing,
      ${sql.raw(briefMember('giver'))} as giver, ${sql.raw(briefMember('taker'))} as taker,
      coalesce(shown.is_visible, false) as is_visible,
      shown.image_name, shown.image_widths
    from (select ${member}::bigint as id) me cross join unnest(${rings}::bigint[]) with ordinality r (id, position)
    cross join lateral (select * from ring_legs where ring_id = r.id) leg
    join matches m on m.want_id = leg.want_id and m.listing_id = leg.listing_id
    join listings listing on listing.id = leg.listing_id
    join users giver on giver.id = leg.giver_id
    join users taker on taker.id = leg.taker_id
    ${sql.raw(shownListing)}
    order by r.position, leg.place`.execute(db)
  return rows
}

/** Deletes those of the next rings after an id that are not valid any more. Returns the ids of all that it has checked. */
export async function deleteInvalidRings(tx: Db, after: number, limit: number) {
  const { rows } = await sql<{ id: number }>`
    with checked as materialized (
      select id from rings where id > ${after} order by id limit ${limit}
    ), deleted as (
      delete from rings r using checked where r.id = checked.id and not (${sql.raw(isValidRing)})
    )
    select id from checked order by id`.execute(tx)
  return rows
}

export async function deleteOldRings(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'rings', sql`created_at < ${before}`)
}
