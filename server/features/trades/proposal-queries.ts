import type { TradeKind, TradeState } from '#contract/trades.ts'
import { visibleUntilEnd } from '#server/features/listings/visibility.ts'
import { countStatement, type Db, rowStatement, statement } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'
import type { TradeListingRow } from './queries.ts'

const lockedMembers = statement<[ids: readonly number[]], { id: number; is_suspended: boolean }>(
  'select id, suspended_at is not null as is_suspended from users where id = any ($1::bigint[]) order by id for no key update',
)

/**
 * Locks members before they trade. Blocks, suspensions and other requests of them wait. Returns those who are not suspended or
 * deleted.
 */
export async function lockMembers(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  const members = await lockedMembers(tx, ids)
  return members.filter(({ is_suspended }) => !is_suspended).map(({ id }) => id)
}

/** Returns the pairs of a listing and a member who can not see it. That a listing has ended does not count. */
export const listUnseen = statement<
  [listings: readonly number[], members: readonly number[]],
  { listing_id: number; member_id: number }
>(
  `select l.id as listing_id, v.id as member_id
   from listings l cross join unnest($2::bigint[]) v (id)
   where l.id = any ($1::bigint[]) and not ${visibleUntilEnd('v.id')}`,
)

/** Returns the number of a member's unanswered requests. */
export const countRequests = countStatement<[member: number]>(
  `select count(*) from trades where requester_id = $1 and state = 'requested'`,
)

/** Returns how often a member requested the listing of these that they requested most often within a day. */
export const countRecentRequests = countStatement<[member: number, listings: readonly number[]]>(
  `select max(requests) as count from (
     select count(*) as requests from trade_legs leg join trades t on t.id = leg.trade_id
     where leg.listing_id = any ($2::bigint[]) and leg.is_requested and t.requester_id = $1
       and t.created_at > now() - interval '1 day'
     group by leg.listing_id
   ) of_listings`,
)

/** Returns a member's open request for a listing. */
export const findRequest = rowStatement<
  [member: number, listing: number],
  { id: number; state: TradeState; kind: TradeKind }
>(
  `select t.id, t.state, t.kind from trade_legs leg join trades t on t.id = leg.trade_id
   where leg.listing_id = $2 and leg.is_requested and leg.status <> 'closed' and t.requester_id = $1 and t.kind <> 'ring'
   order by t.id limit 1`,
)

/** Returns the open ring of exactly these listings. They are in ascending order. */
export const findOpenRing = rowStatement<[listings: readonly number[]], { id: number }>(
  `select t.id from trade_legs leg join trades t on t.id = leg.trade_id and t.kind = 'ring'
   where leg.listing_id = ($1::bigint[])[1] and leg.status <> 'closed'
     and $1 = (select array_agg(o.listing_id order by o.listing_id) from trade_legs o where o.trade_id = t.id)
   limit 1`,
)

export interface NewLeg {
  readonly listing: TradeListingRow
  readonly giver_id: number
  readonly taker_id: number
  readonly is_requested: boolean
}

/** Inserts a trade with its legs and parties. Returns its id. */
export async function insertTrade(
  tx: Db<Tables>,
  trade: {
    kind: TradeKind
    requester_id: number
    note: string | null
    expires_at: string
    remind_at: string
  },
  legs: readonly NewLeg[],
): Promise<number> {
  const { id } = await tx.insertInto('trades').values(trade).returning('id').executeTakeFirstOrThrow()
  await tx
    .insertInto('trade_legs')
    .values(
      legs.map(
        (
          { listing: { id: listing_id, title, type_id, price, drawing }, giver_id, taker_id, is_requested },
          place,
        ) => ({
          trade_id: id,
          place,
          listing_id,
          giver_id,
          taker_id,
          title,
          type_id,
          price,
          drawing,
          is_requested,
          accepted: !is_requested,
        }),
      ),
    )
    .execute()
  const members = new Set(legs.flatMap(({ giver_id, taker_id }) => [giver_id, taker_id]))
  await tx
    .insertInto('trade_parties')
    .values([...members].map((member_id) => ({ trade_id: id, member_id })))
    .execute()
  return id
}
