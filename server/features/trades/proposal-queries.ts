import { sql } from 'kysely'
import type { TradeKind } from '#contract/trades.ts'
import { wasVisibleTo } from '#server/features/visibility/listings.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'
import type { TradeListingRow } from './queries.ts'

/** Returns the pairs of a listing and a member who can not see it. That a listing has ended does not count. */
export async function listUnseen(db: Db, listings: readonly number[], members: readonly number[]) {
  const { rows } = await sql<{ listing_id: number; member_id: number }>`
    select l.id as listing_id, v.id as member_id
    from listings l cross join unnest(${members}::bigint[]) v (id)
    where l.id = any (${listings}::bigint[]) and not ${sql.raw(wasVisibleTo('v.id'))}`.execute(db)
  return rows
}

/** Returns the number of a member's unanswered requests. */
export async function countRequests(db: Db, member: number): Promise<number> {
  const { count } = await db
    .selectFrom('trades')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requester_id', '=', member)
    .where('state', '=', sql.lit('requested'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns how often a member requested the listing of these that they requested most often within a day. */
export async function countRecentRequests(
  db: Db,
  member: number,
  listings: readonly number[],
): Promise<number> {
  const most = await db
    .selectFrom('trade_legs as leg')
    .innerJoin('trades as t', 't.id', 'leg.trade_id')
    .select(({ fn }) => fn.countAll<number>().as('requests'))
    .where('leg.listing_id', '=', anyOf(listings))
    .where(({ ref }) => ref('leg.is_requested'))
    .where('t.requester_id', '=', member)
    .where('t.created_at', '>', sql<string>`now() - interval '1 day'`)
    .groupBy('leg.listing_id')
    .orderBy('requests', 'desc')
    .limit(1)
    .executeTakeFirst()
  return most?.requests ?? 0
}

/** Selects open trades `t` by their legs `leg`. */
function selectOpenTrades(db: Db) {
  return db
    .selectFrom('trade_legs as leg')
    .innerJoin('trades as t', 't.id', 'leg.trade_id')
    .select('t.id')
    .where('leg.status', '<>', sql.lit('closed'))
}

/** Returns a member's open request for a listing. */
export function findRequest(db: Db, member: number, listing: number) {
  return selectOpenTrades(db)
    .where('leg.listing_id', '=', listing)
    .where(({ ref }) => ref('leg.is_requested'))
    .where('t.requester_id', '=', member)
    .where('t.kind', '<>', 'ring')
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns whether a listing is promised to a member. */
export async function isPromisedTo(db: Db, listing: number, member: number): Promise<boolean> {
  const promise = await db
    .selectFrom('trade_legs')
    .select('trade_id')
    .where('listing_id', '=', listing)
    .where('taker_id', '=', member)
    .where('status', '=', sql.lit('promised'))
    .limit(1)
    .executeTakeFirst()
  return promise !== undefined
}

/** Returns the open ring of exactly these listings. They are in ascending order. */
export function findOpenRing(db: Db, listings: readonly number[]) {
  const ringListings = sql<
    number[]
  >`(select array_agg(listing_id order by listing_id) from trade_legs where trade_id = t.id)`
  return selectOpenTrades(db)
    .where('leg.listing_id', '=', listings[0] ?? 0)
    .where('t.kind', '=', 'ring')
    .where(ringListings, '=', sql.val([...listings]))
    .limit(1)
    .executeTakeFirst()
}

export interface NewLeg {
  readonly listing: TradeListingRow
  readonly giver_id: number
  readonly taker_id: number
  readonly is_requested: boolean
  readonly quantity: number | null
}

/** Inserts a trade with its legs and parties. Returns its id. */
export async function insertTrade(
  tx: Db,
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
          {
            listing: { id: listing_id, title, type_id, price, drawing, unit },
            giver_id,
            taker_id,
            is_requested,
            quantity,
          },
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
          quantity,
          unit,
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
