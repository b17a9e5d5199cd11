import type { TradeState } from '#contract/trades.ts'
import { isCurrent, isPublic } from '#server/features/listings/visibility.ts'
import { type Db, idsStatement, rowStatement, statement } from '#server/platform/db/database.ts'
import type { Row, Tables } from '#server/tables.ts'

const membersLockedForShare = statement<[ids: readonly number[]], { id: number; is_suspended: boolean }>(
  'select id, suspended_at is not null as is_suspended from users where id = any ($1::bigint[]) order by id for key share',
)

/** Locks the members' rows for key share, so that none is deleted. Returns the ids of those who have not left or been suspended. */
export async function lockMembersForShare(tx: Db<Tables>, ids: readonly number[]): Promise<number[]> {
  const members = await membersLockedForShare(tx, ids)
  return members.filter(({ is_suspended }) => !is_suspended).map(({ id }) => id)
}

/** Locks listings in the order of their ids. */
export const lockListings = statement<[ids: readonly number[]], object>(
  'select id from listings where id = any ($1::bigint[]) order by id for no key update',
)

/** A listing of a trade, as the rules need it. */
export interface TradeListingRow
  extends Pick<
    Row<'listings'>,
    'id' | 'owner_id' | 'title' | 'type_id' | 'price' | 'drawing' | 'state_id' | 'open_to_rings' | 'is_public'
  > {
  has_ended: boolean
  /** The trade that it is promised in. */
  promised_in: number | null
}

const listings = statement<[ids: readonly number[]], TradeListingRow>(
  `select l.id, l.owner_id, l.title, l.type_id, l.price, l.drawing, l.state_id, l.open_to_rings,
     ${isPublic} as is_public, not (${isCurrent}) as has_ended,
     (select leg.trade_id from trade_legs leg where leg.listing_id = l.id and leg.status = 'promised') as promised_in
   from listings l where l.id = any ($1::bigint[])`,
)

/** Returns listings by id, whoever may see them. */
export async function listListings(
  db: Db<Tables>,
  ids: readonly number[],
): Promise<Map<number, TradeListingRow>> {
  const rows = await listings(db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the blocks between any of the members. */
export const listBlocksAmong = statement<
  [members: readonly number[]],
  { blocker_id: number; blocked_id: number }
>(
  'select blocker_id, blocked_id from blocks where blocker_id = any ($1::bigint[]) and blocked_id = any ($1::bigint[])',
)

export type TradeRow = Omit<Row<'trades'>, 'remind_at' | 'pickup_remind_at'>

/** Reads `pickup_accepted_by` as JSON, because pg returns the elements of `bigint` arrays as text. */
const tradeColumns = `t.id, t.kind, t.state, t.requester_id, t.note, t.created_at, t.updated_at, t.expires_at, t.pickup_starts_at,
  t.pickup_ends_at, t.pickup_proposed_by, array_to_json(t.pickup_accepted_by) as pickup_accepted_by`

/** Returns a trade, or undefined if the member is no party of it. */
export const findTrade = rowStatement<[id: number, member: number], TradeRow>(
  `select ${tradeColumns} from trades t join trade_parties p on p.trade_id = t.id and p.member_id = $2 where t.id = $1`,
)

/** Locks a trade. The caller has locked its members and its listings. */
export const lockTrade = rowStatement<[id: number], TradeRow>(
  `select ${tradeColumns} from trades t where t.id = $1 for update`,
)

export const listTradeRows = statement<[ids: readonly number[]], TradeRow>(
  `select ${tradeColumns} from trades t where t.id = any ($1::bigint[])`,
)

export type LegRow = Omit<Row<'trade_legs'>, 'type_id' | 'price' | 'drawing' | 'status'>

export const listLegs = statement<[trade: number], LegRow>(
  `select trade_id, place, listing_id, giver_id, taker_id, title, is_requested, accepted, handed_over
   from trade_legs where trade_id = $1 order by place`,
)

/** Returns the requested and promised trades with a listing. */
export const listOpenOfListing = statement<
  [listing: number],
  { trade_id: number; status: 'open' | 'promised' }
>(`select trade_id, status from trade_legs where listing_id = $1 and status <> 'closed' order by trade_id`)

/** Returns the requests that wait for these listings, in order of arrival. */
export const listWaiting = statement<
  [listings: readonly number[], except: number],
  { id: number; requester_id: number; listing_id: number; giver_id: number }
>(
  `select t.id, t.requester_id, leg.listing_id, leg.giver_id from trade_legs leg join trades t on t.id = leg.trade_id
   where leg.listing_id = any ($1::bigint[]) and leg.is_requested and leg.status = 'open' and leg.trade_id <> $2
   order by t.id`,
)

/** Sets the state and the times of a trade, and the status of its legs and parties. Null times close it. */
export async function updateTrade(
  tx: Db<Tables>,
  id: number,
  {
    state,
    expires_at,
    remind_at,
  }: { state: TradeState; expires_at: string | null; remind_at: string | null },
): Promise<void> {
  const isOpen = expires_at !== null
  await tx
    .updateTable('trades')
    .set({
      state,
      expires_at,
      remind_at,
      updated_at: new Date().toISOString(),
      ...(isOpen ? {} : { pickup_remind_at: null }),
    })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('trade_legs')
    .set({ status: state === 'requested' ? 'open' : isOpen ? 'promised' : 'closed' })
    .where('trade_id', '=', id)
    .execute()
  if (!isOpen)
    await tx.updateTable('trade_parties').set({ is_open: false }).where('trade_id', '=', id).execute()
}

/** Marks legs as accepted or handed over. */
export async function updateLegs(
  tx: Db<Tables>,
  trade: number,
  places: readonly number[],
  changes: { accepted: true } | { handed_over: true },
): Promise<void> {
  await tx
    .updateTable('trade_legs')
    .set(changes)
    .where('trade_id', '=', trade)
    .where('place', 'in', places)
    .execute()
  await tx
    .updateTable('trades')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', trade)
    .execute()
}

export async function updateListingStates(
  tx: Db<Tables>,
  ids: readonly number[],
  state_id: 1 | 2 | 3,
): Promise<void> {
  if (ids.length === 0) return
  await tx.updateTable('listings').set({ state_id }).where('id', 'in', ids).execute()
}

export async function updatePickup(
  tx: Db<Tables>,
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
export const listParties = idsStatement<[trade: number]>(
  `select u.id from trade_parties p join users u on u.id = p.member_id
   where p.trade_id = $1 and u.suspended_at is null order by p.member_id`,
)
