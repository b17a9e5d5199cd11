import { visibleTo } from '#server/features/listings/visibility.ts'
import { idsStatement, statement } from '#server/platform/db/database.ts'

/** Returns those of the listings for which a request is unanswered. */
export const listRequested = statement<[listings: readonly number[]], { listing_id: number }>(
  `select l.id as listing_id from unnest($1::bigint[]) l (id)
   where exists (select from trade_legs leg where leg.listing_id = l.id and leg.status = 'open')`,
)

/** Returns the open trades of a member. */
export const listOpenOf = idsStatement<[member: number]>(
  'select trade_id as id from trade_parties where member_id = $1 and is_open order by trade_id',
)

/** Returns the open trades of which both members are parties. */
export const listOpenBetween = idsStatement<[one: number, other: number]>(
  `select p.trade_id as id from trade_parties p join trade_parties o on o.trade_id = p.trade_id and o.member_id = $2
   where p.member_id = $1 and p.is_open order by p.trade_id`,
)

/** Deletes the trades of a leaving member whose other parties have all left. */
export const deleteTradesOfFormer = statement<[leaving: number], object>(
  `delete from trades t using trade_parties p
   where p.member_id = $1 and t.id = p.trade_id and not exists (
     select from trade_parties o join users u on u.id = o.member_id where o.trade_id = t.id and o.member_id <> $1
   )`,
)

/** Returns the requested trades with a listing that one of their members can not see. */
export const listRequestsUnseen = idsStatement<[listing: number]>(
  `select leg.trade_id as id from trade_legs leg join listings l on l.id = leg.listing_id
   where leg.listing_id = $1 and leg.status = 'open' and coalesce((
     select true from trade_parties p where p.trade_id = leg.trade_id and not ${visibleTo('p.member_id')} limit 1
   ), false)
   order by leg.trade_id`,
)

/** Returns the requested trades of two members with a listing that one of them can not see, and its owner. */
export const listUnseenBetween = statement<
  [one: number, other: number],
  { trade_id: number; giver_id: number }
>(
  `select distinct on (leg.trade_id) leg.trade_id, leg.giver_id
   from trade_parties p join trade_parties o on o.trade_id = p.trade_id and o.member_id = $2
   join trade_legs leg on leg.trade_id = p.trade_id and leg.status = 'open' and leg.giver_id in ($1, $2)
   join listings l on l.id = leg.listing_id
   where p.member_id = $1 and p.is_open and not (${visibleTo('$1::bigint')} and ${visibleTo('$2::bigint')})
   order by leg.trade_id`,
)
