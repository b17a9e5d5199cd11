import { type InferResult, sql } from 'kysely'
import type { EndReason, TradeState } from '#contract/trades.ts'
import { isCurrent, isPublished } from '#server/features/visibility/listings.ts'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db } from '#server/tables.ts'

/** Locks listings in the order of their ids. */
export async function lockListings(tx: Db, ids: readonly number[]): Promise<void> {
  await tx
    .selectFrom('listings')
    .select('id')
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** A listing of a trade, as the rules need it. `counted_promises` are those of its promises that have a quantity, `promised` in all. */
export type TradeListingRow = InferResult<ReturnType<typeof selectListings>>[number]

function selectListings(db: Db) {
  return db
    .selectFrom('listings as l')
    .select([
      'l.id',
      'l.owner_id',
      'l.title',
      'l.type_id',
      'l.price',
      'l.drawing',
      'l.state_id',
      'l.open_to_rings',
      'l.quantity',
      'l.quantity_left',
      'l.unit',
    ])
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('trade_legs as leg')
          .select(({ fn }) => [
            fn.countAll<number>().as('promise_count'),
            fn.count<number>('leg.quantity').as('counted_promises'),
            fn.coalesce(fn.sum<number>('leg.quantity'), sql.lit(0)).as('promised'),
          ])
          .whereRef('leg.listing_id', '=', 'l.id')
          .where('leg.status', '=', sql.lit('promised'))
          .as('promises'),
      (on) => on.onTrue(),
    )
    .select([
      sql.raw<boolean>(isPublished).as('is_public'),
      sql<boolean>`l.hidden_at is not null`.as('is_hidden'),
      sql.raw<boolean>(`not (${isCurrent})`).as('is_expired'),
      'promises.promise_count',
      'promises.counted_promises',
      'promises.promised',
    ])
}

/** Returns listings by id, whoever may see them. */
export async function listListings(db: Db, ids: readonly number[]): Promise<Map<number, TradeListingRow>> {
  const rows = await selectListings(db).where('l.id', '=', anyOf(ids)).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type TradeRow = InferResult<ReturnType<typeof selectTrades>>[number]

function selectTrades(db: Db) {
  return db
    .selectFrom('trades as t')
    .select([
      't.id',
      't.kind',
      't.state',
      't.requester_id',
      't.note',
      't.created_at',
      't.updated_at',
      't.expires_at',
      't.pickup_starts_at',
      't.pickup_ends_at',
      't.pickup_proposed_by',
      't.end_reason',
    ])
    .select(({ fn }) =>
      // As JSON, because pg returns the elements of `bigint` arrays as text.
      fn<number[]>('array_to_json', ['t.pickup_accepted_by']).as('pickup_accepted_by'),
    )
}

/** Returns a trade, or undefined if the member is no party of it. */
export function findTrade(db: Db, id: number, member: number): Promise<TradeRow | undefined> {
  return selectTrades(db)
    .innerJoin('trade_parties as p', 'p.trade_id', 't.id')
    .where('t.id', '=', id)
    .where('p.member_id', '=', member)
    .executeTakeFirst()
}

/** Locks a trade. The caller has locked its members and its listings. */
export function lockTrade(tx: Db, id: number): Promise<TradeRow | undefined> {
  return selectTrades(tx).where('t.id', '=', id).forUpdate().executeTakeFirst()
}

export function listTradeRows(db: Db, ids: readonly number[]): Promise<TradeRow[]> {
  return selectTrades(db).where('t.id', '=', anyOf(ids)).execute()
}

export type LegRow = Awaited<ReturnType<typeof listLegs>>[number]

export function listLegs(db: Db, trade: number) {
  return db
    .selectFrom('trade_legs')
    .select([
      'trade_id',
      'place',
      'listing_id',
      'giver_id',
      'taker_id',
      'title',
      'is_requested',
      'quantity',
      'accepted',
      'handed_over',
      'confirm_at',
    ])
    .where('trade_id', '=', trade)
    .orderBy('place')
    .execute()
}

/** Returns the requested and promised trades with a listing. */
export function listOpenOfListing(db: Db, listing: number) {
  return db
    .selectFrom('trade_legs')
    .select(['trade_id', 'status'])
    .where('listing_id', '=', listing)
    .where('status', '<>', sql.lit('closed'))
    .orderBy('trade_id')
    .execute()
}

/** Returns the requests that wait for these listings, in order of arrival. */
export function listWaiting(db: Db, listings: readonly number[], except: number) {
  return db
    .selectFrom('trade_legs as leg')
    .innerJoin('trades as t', 't.id', 'leg.trade_id')
    .select(['t.id', 't.requester_id', 'leg.listing_id', 'leg.giver_id', 'leg.quantity'])
    .where('leg.listing_id', '=', anyOf(listings))
    .where(({ ref }) => ref('leg.is_requested'))
    .where('leg.status', '=', sql.lit('open'))
    .where('leg.trade_id', '<>', except)
    .orderBy('t.id')
    .execute()
}

/** Sets the state and the times of a trade, and the status of its legs and parties. Null times close it. */
export async function updateTrade(
  tx: Db,
  id: number,
  {
    state,
    expires_at,
    remind_at,
    end_reason,
  }: {
    state: TradeState
    expires_at: string | null
    remind_at: string | null
    end_reason: EndReason | null
  },
): Promise<void> {
  const isOpen = expires_at !== null
  await tx
    .updateTable('trades')
    .set({
      state,
      expires_at,
      remind_at,
      end_reason,
      updated_at: new Date().toISOString(),
      ...(isOpen ? {} : { pickup_remind_at: null }),
    })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('trade_legs')
    .set({
      status: state === 'requested' ? 'open' : isOpen ? 'promised' : 'closed',
      ...(isOpen ? {} : { confirm_at: null }),
      ...(isOpen || state === 'done' ? {} : { pickup_place: null }),
    })
    .where('trade_id', '=', id)
    .execute()
  if (!isOpen)
    await tx.updateTable('trade_parties').set({ is_open: false }).where('trade_id', '=', id).execute()
}

/** Sets how many of each listing the legs of a trade move, when they are promised: the listing may have got or lost its quantity since. */
export async function updateQuantities(tx: Db, trade: number): Promise<void> {
  await tx
    .updateTable('trade_legs as leg')
    .from('listings as l')
    .set({
      quantity: sql<number | null>`case when l.quantity is not null then coalesce(leg.quantity, 1) end`,
    })
    .whereRef('l.id', '=', 'leg.listing_id')
    .where('leg.trade_id', '=', trade)
    .execute()
}

/** Marks legs as accepted, received or handed over, or as not received. */
export async function updateLegs(
  tx: Db,
  trade: number,
  places: readonly number[],
  changes: { accepted: true } | { handed_over: true; confirm_at: null } | { confirm_at: string | null },
): Promise<void> {
  await tx
    .updateTable('trade_legs')
    .set(changes)
    .where('trade_id', '=', trade)
    .where('place', '=', anyOf(places))
    .execute()
  await tx
    .updateTable('trades')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', trade)
    .execute()
}

/** Sets where a member hands over what they give in a trade. */
export async function updatePlace(tx: Db, trade: number, giver: number, place: string | null): Promise<void> {
  await tx
    .updateTable('trade_legs')
    .set({ pickup_place: place })
    .where('trade_id', '=', trade)
    .where('giver_id', '=', giver)
    .execute()
}

/** Deletes the places of pickups that ended so many days ago, and of trades that did. */
export async function deleteOldPlaces(db: Db, days: number): Promise<void> {
  await sql`
    update trade_legs leg set pickup_place = null from trades t
    where leg.pickup_place is not null and t.id = leg.trade_id
      and coalesce(t.pickup_ends_at, case when t.expires_at is null then t.updated_at end) < now() - make_interval(days => ${days})`.execute(
    db,
  )
}

/** Deletes the places of a leaving member. */
export async function deletePlacesOf(tx: Db, giver: number): Promise<void> {
  await tx
    .updateTable('trade_legs')
    .set({ pickup_place: null })
    .where('giver_id', '=', giver)
    .where('pickup_place', 'is not', null)
    .execute()
}

/** Extends a trade that would lapse before this time. */
export async function extendTrade(tx: Db, id: number, until: string): Promise<void> {
  await tx
    .updateTable('trades')
    .set({ expires_at: until })
    .where('id', '=', id)
    .where('expires_at', '<', until)
    .execute()
}

export async function updatePickup(
  tx: Db,
  id: number,
  pickup: {
    pickup_starts_at?: string
    pickup_ends_at?: string
    pickup_proposed_by?: number
    pickup_accepted_by: number[]
    pickup_remind_at: string | null
    expires_at?: string
    remind_at?: string
  },
): Promise<void> {
  await tx
    .updateTable('trades')
    .set({ ...pickup, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Returns the parties who are still members. */
export async function listParties(db: Db, trade: number): Promise<number[]> {
  const members = await db
    .selectFrom('trade_parties as p')
    .innerJoin('users as u', 'u.id', 'p.member_id')
    .select('u.id')
    .where('p.trade_id', '=', trade)
    .where('u.suspended_at', 'is', null)
    .orderBy('p.member_id')
    .execute()
  return members.map(({ id }) => id)
}
