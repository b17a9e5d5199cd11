import { sql } from 'kysely'
import { states } from '#contract/constants.ts'
import type { BriefMember } from '#contract/fields.ts'
import { type LegListingRow, shownListing } from '#server/features/listings/leg-listing.ts'
import { briefMember } from '#server/features/members/brief-member.ts'
import { isLegWithheld } from '#server/features/visibility/listings.ts'
import { areBlocked, friendsOf, suspendedMembers } from '#server/features/visibility/members.ts'
import type { Db, Row } from '#server/tables.ts'

export interface ShownLegRow extends Omit<Row<'trade_legs'>, 'status' | 'title' | 'drawing'>, LegListingRow {
  /** Null after the member has left or was suspended. */
  giver: BriefMember | null
  taker: BriefMember | null
  position: number | null
  /** True if the giver or the taker has blocked the other. */
  is_blocked: boolean
  /** True if the listing can be promised in this trade. */
  is_free: boolean
}

const isWithheldFromMe = sql.raw(isLegWithheld('leg', 'me.id'))

/** Returns the legs as the caller sees them. */
export async function listShownLegs(db: Db, caller: number, trades: readonly number[]) {
  const { rows } = await sql<ShownLegRow>`
    select leg.trade_id, leg.place, leg.listing_id, leg.giver_id, leg.taker_id, leg.is_requested, leg.accepted,
      leg.handed_over, leg.confirm_at, leg.pickup_place, leg.type_id, leg.price, leg.quantity,
      case when not ${isWithheldFromMe} then leg.unit end as unit,
      case when not ${isWithheldFromMe} then leg.title end as title,
      case when not ${isWithheldFromMe} then leg.drawing end as drawing,
      case when giver.id is not null then ${sql.raw(briefMember('giver'))} end as giver,
      case when taker.id is not null then ${sql.raw(briefMember('taker'))} end as taker,
      coalesce(shown.is_visible, false) as is_visible,
      shown.image_name, shown.image_widths,
      case when leg.is_requested and leg.status = 'open' then (
        select count(*) from trade_legs q
        where q.listing_id = leg.listing_id and q.is_requested and q.status <> 'closed' and q.trade_id <= leg.trade_id
          and (q.status = 'open' or coalesce(own.quantity_left, 0) = 0)
      ) end as position,
      ${sql.raw(areBlocked('leg.giver_id', 'leg.taker_id'))} as is_blocked,
      coalesce(own.state_id <> ${sql.lit(states.gone)} and own.hidden_at is null, false)
        and (coalesce(leg.quantity, 1) <= own.quantity_left or own.quantity_left is null and not exists (
          select from trade_legs other
          where other.listing_id = leg.listing_id and other.status = 'promised' and other.trade_id <> leg.trade_id
        )) as is_free
    from (select ${caller}::bigint as id) me cross join unnest(${trades}::bigint[]) wanted (id)
    cross join lateral (select * from trade_legs where trade_id = wanted.id order by place) leg
    left join lateral (
      select state_id, hidden_at, quantity_left from listings where id = leg.listing_id limit 1
    ) own on true
    left join lateral (select * from users where id = leg.giver_id and suspended_at is null limit 1) giver on true
    left join lateral (select * from users where id = leg.taker_id and suspended_at is null limit 1) taker on true
    ${sql.raw(shownListing)}
    order by leg.trade_id, leg.place`.execute(db)
  return rows
}

/** The public data of the requester of an unanswered trade, for its receivers. */
export interface RequesterRow extends Pick<Row<'users'>, 'city' | 'state' | 'postal_code_id'> {
  trade_id: number
  caller_postal_code_id: number
  thanks_count: number
  mutual_friend_count: number
}

/** Returns the public data of requesters that the caller may see. */
export async function listRequesters(db: Db, caller: number, trades: readonly number[]) {
  const { rows } = await sql<RequesterRow>`
    select t.id as trade_id, u.city, u.state, u.postal_code_id, my.postal_code_id as caller_postal_code_id,
      (select count(*) from thanks k join users a on a.id = k.author_id
        where k.receiver_id = u.id and k.hidden_at is null and a.suspended_at is null) as thanks_count,
      (select count(*) from (${sql.raw(friendsOf('u.id'))}) theirs (id) join (${sql.raw(friendsOf('me.id'))}) mine (id) on mine.id = theirs.id
        where mine.id not in (${sql.raw(suspendedMembers)}))
        as mutual_friend_count
    from (select ${caller}::bigint as id) me cross join unnest(${trades}::bigint[]) wanted (id)
    cross join lateral (select * from trades where id = wanted.id and state = 'requested' and requester_id <> me.id limit 1) t
    cross join lateral (select * from users where id = t.requester_id and suspended_at is null limit 1) u
    cross join lateral (select postal_code_id from users where id = me.id limit 1) my`.execute(db)
  return rows
}

export interface Page {
  readonly state: 'open' | 'closed' | undefined
  readonly before: number
  readonly limit: number
}

/** Returns the ids of a member's trades, newest first: those with another member or with a listing if there is one. */
export async function listTradeIds(
  db: Db,
  caller: number,
  { state, before, limit }: Page,
  { other, listing }: { other?: number | undefined; listing?: number | undefined },
): Promise<number[]> {
  let trades = db
    .selectFrom('trade_parties as p')
    .select('p.trade_id')
    .where('p.member_id', '=', caller)
    .where('p.trade_id', '<', before)
    .orderBy('p.trade_id', 'desc')
    .limit(limit)
  if (state) trades = trades.where('p.is_open', '=', sql.lit(state === 'open'))
  if (other !== undefined)
    trades = trades
      .innerJoin('trade_parties as o', 'o.trade_id', 'p.trade_id')
      .where('o.member_id', '=', other)
      .whereRef('o.member_id', '<>', 'p.member_id')
  if (listing !== undefined)
    trades = trades.where(
      sql<boolean>`exists (select from trade_legs where trade_id = p.trade_id and listing_id = ${listing})`,
    )
  return (await trades.execute()).map(({ trade_id }) => trade_id)
}

/** Returns a member's listings that are in open rings. */
export async function listingsInOpenRings(db: Db, member: number): Promise<number[]> {
  const legs = await db
    .selectFrom('trade_parties as p')
    .innerJoin('trades as t', 't.id', 'p.trade_id')
    .innerJoin('trade_legs as leg', 'leg.trade_id', 'p.trade_id')
    .select('leg.listing_id')
    .where('p.member_id', '=', member)
    .where(({ ref }) => ref('p.is_open'))
    .where('t.kind', '=', 'ring')
    .where('leg.giver_id', '=', member)
    .execute()
  return legs.map(({ listing_id }) => listing_id)
}

/** Returns the requests for an owner's listing in order of arrival. */
export async function listRequestQueue(
  db: Db,
  owner: number,
  listing: number,
  { state, after, limit }: { state: 'open' | 'closed' | undefined; after: number; limit: number },
): Promise<number[]> {
  let legs = db
    .selectFrom('trade_legs')
    .select('trade_id')
    .where('listing_id', '=', listing)
    .where('giver_id', '=', owner)
    .where(({ ref }) => ref('is_requested'))
    .where('trade_id', '>', after)
    .orderBy('trade_id')
    .limit(limit)
  if (state) legs = legs.where('status', state === 'open' ? '<>' : '=', sql.lit('closed'))
  return (await legs.execute()).map(({ trade_id }) => trade_id)
}
