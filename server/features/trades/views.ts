import type { z } from 'zod/mini'
import type { listTrades, Pickup, Trade, TradeAction } from '#contract/trades.ts'
import { tradeMessages } from '#contract/trades.ts'
import { listingOfLeg } from '#server/features/listings/leg-listing.ts'
import { bandsBetween } from '#server/features/locations/postal-codes.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { cursorAt, decodeIdCursor, type Page, paginate, positionOf } from '#server/platform/http/paging.ts'
import type { Db } from '#server/tables.ts'
import { findTrade, listListings, listTradeRows, type TradeRow } from './queries.ts'
import { decide, type Progress, type Role, type Step } from './state-machine.ts'
import { listThanksOfTrades, type TradeThanksRow } from './thanks-queries.ts'
import {
  listRequesters,
  listRequestQueue,
  listShownLegs,
  listTradeIds,
  type RequesterRow,
  type ShownLegRow,
} from './view-queries.ts'

/** Returns a trade as the caller sees it. Throws `not_found` if the caller is no party of it. */
export async function tradeOf(db: Db, caller: number, id: number): Promise<Trade> {
  const row = await findTrade(db, id, caller)
  const [trade] = row ? await toResponses(db, caller, [row]) : []
  if (!trade) throw new AppError('not_found', tradeMessages.notFound)
  return trade
}

/** Returns a page of the caller's trades, or of the requests for a listing of theirs. */
export async function pageOfTrades(
  db: Db,
  caller: number,
  { state, listing_id, with: other, limit, cursor }: z.output<typeof listTrades.query>,
): Promise<Page<Trade>> {
  if (listing_id !== undefined && other === undefined && (await ownerOf(db, listing_id)) === caller) {
    const after = cursor === undefined ? 0 : Number(positionOf(cursor, /^[1-9]\d{0,14}$/))
    const ids = await listRequestQueue(db, caller, listing_id, { state, after, limit: limit + 1 })
    const rows = await tradesByIds(db, caller, ids.slice(0, limit))
    const last = ids.length > limit ? ids[limit - 1] : undefined
    return { rows, next: last === undefined ? undefined : cursorAt(last) }
  }
  if (listing_id !== undefined && other !== undefined) throw invalid('with', 'Please check "with"')
  const page = { state, before: decodeIdCursor(cursor), limit: limit + 1 }
  const ids = await listTradeIds(db, caller, page, { other, listing: listing_id })
  const { rows, next } = paginate(ids, limit, (id) => id)
  return { rows: await tradesByIds(db, caller, rows), next }
}

async function ownerOf(db: Db, listing: number): Promise<number | undefined> {
  return (await listListings(db, [listing])).get(listing)?.owner_id
}

/** Returns trades of the caller in the order of the ids. */
export async function tradesByIds(db: Db, caller: number, ids: readonly number[]): Promise<Trade[]> {
  if (ids.length === 0) return []
  const byId = new Map(
    (await toResponses(db, caller, await listTradeRows(db, ids))).map((one) => [one.id, one]),
  )
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function toResponses(db: Db, caller: number, rows: readonly TradeRow[]): Promise<Trade[]> {
  const ids = rows.map(({ id }) => id)
  const [legs, requesters, thanks] = [
    Map.groupBy(await listShownLegs(db, caller, ids), ({ trade_id }) => trade_id),
    new Map((await listRequesters(db, caller, ids)).map((row) => [row.trade_id, row])),
    Map.groupBy(await listThanksOfTrades(db, caller, ids), ({ trade_id }) => trade_id),
  ]
  return rows.map((row) =>
    toResponse(row, caller, legs.get(row.id) ?? [], requesters.get(row.id), thanks.get(row.id) ?? []),
  )
}

function toResponse(
  row: TradeRow,
  caller: number,
  legs: readonly ShownLegRow[],
  requester: RequesterRow | undefined,
  thanks: readonly TradeThanksRow[],
): Trade {
  const { id, kind, state, end_reason, requester_id, note, created_at, updated_at, expires_at } = row
  // The agreements of a ring would reveal which member has not agreed.
  const hidesAgreement = kind === 'ring' && state !== 'accepted' && state !== 'done'
  const pickup = pickupOf(row, legs)
  return {
    id,
    kind,
    state,
    end_reason,
    requester_id,
    note,
    created_at,
    updated_at,
    expires_at,
    legs: legs.map((leg) => ({
      listing: listingOfLeg(leg),
      giver_id: leg.giver_id,
      giver: leg.giver,
      taker_id: leg.taker_id,
      taker: leg.taker,
      quantity: leg.quantity,
      unit: leg.unit,
      accepted: leg.accepted && !(hidesAgreement && leg.giver_id !== caller && leg.giver_id !== requester_id),
      handed_over: leg.handed_over,
      confirm_at: leg.confirm_at,
      pickup_place: placeFor(caller, state, leg),
      position: leg.position,
    })),
    pickup,
    allowed: allowedActions(row, caller, legs, pickup, thanks),
    requester: requester
      ? {
          city: requester.city,
          state: requester.state,
          ...bandsBetween(requester.caller_postal_code_id, requester.postal_code_id),
          thanks_count: requester.thanks_count,
          mutual_friend_count: requester.mutual_friend_count,
        }
      : null,
    thanks: thanks.filter(({ is_hidden }) => !is_hidden),
  }
}

/** Returns the place of a leg for its giver, and for its taker once it is promised; null after a block, or when the giver has left. */
function placeFor(caller: number, state: Trade['state'], leg: ShownLegRow): string | null {
  const isPromised = state === 'accepted' || state === 'done'
  const isTaker = leg.taker_id === caller && leg.giver !== null && !leg.is_blocked
  return isPromised && (isTaker || leg.giver_id === caller) ? leg.pickup_place : null
}

/** Returns the distinct members of legs. */
export function partiesOf(legs: readonly { giver_id: number; taker_id: number }[]): number[] {
  return [...new Set(legs.flatMap(({ giver_id, taker_id }) => [giver_id, taker_id]))]
}

function pickupOf(row: TradeRow, legs: readonly ShownLegRow[]): Pickup | null {
  const { pickup_starts_at, pickup_ends_at, pickup_proposed_by } = row
  if (pickup_starts_at === null || pickup_ends_at === null || pickup_proposed_by === null) return null
  return {
    starts_at: pickup_starts_at,
    ends_at: pickup_ends_at,
    proposed_by: pickup_proposed_by,
    accepted: isAgreed(row, legs),
  }
}

/** Returns whether every party except the one who proposed the pickup has accepted it. */
export function isAgreed(
  { pickup_proposed_by, pickup_accepted_by }: Pick<TradeRow, 'pickup_proposed_by' | 'pickup_accepted_by'>,
  legs: readonly { giver_id: number; taker_id: number }[],
): boolean {
  return partiesOf(legs).every((id) => id === pickup_proposed_by || pickup_accepted_by.includes(id))
}

export function roleOf({ requester_id }: Pick<TradeRow, 'requester_id'>, member: number): Role {
  return member === requester_id ? 'requester' : 'receiver'
}

const steps = [
  'accept',
  'decline',
  'withdraw',
  'hand_over',
  'deny_hand_over',
] as const satisfies readonly (Step & TradeAction)[]

function allowedActions(
  row: TradeRow,
  caller: number,
  legs: readonly ShownLegRow[],
  pickup: Pickup | null,
  thanks: readonly TradeThanksRow[],
): TradeAction[] {
  const { state } = row
  const given = legs.filter(({ giver_id }) => giver_id === caller)
  const main = mainLegOf(legs, caller)
  const canHandOver = legs.some(
    (leg) =>
      !leg.handed_over && (leg.giver_id === caller || (leg.taker_id === caller && leg.confirm_at === null)),
  )
  const isFree = legs.every(({ is_free }) => is_free)
  const progress: Record<(typeof steps)[number], Progress> = {
    accept: given.every(({ accepted }) => accepted) ? 'repeated' : 'complete',
    decline: 'complete',
    withdraw: 'complete',
    hand_over: canHandOver ? 'complete' : 'repeated',
    deny_hand_over: given.some(({ confirm_at }) => confirm_at !== null) ? 'complete' : 'repeated',
  }
  const allowed: TradeAction[] = steps.filter((step) => {
    const outcome = decide(state, step, roleOf(row, caller), progress[step])
    return typeof outcome === 'object' && (step !== 'accept' || isFree)
  })
  if (state === 'accepted') {
    if (given.length > 0) allowed.push('set_place')
    allowed.push('propose_pickup')
    const isAwaited = pickup && pickup.proposed_by !== caller && !row.pickup_accepted_by.includes(caller)
    if (isAwaited && Date.parse(pickup.ends_at) >= Date.now()) allowed.push('accept_pickup')
  }
  const thanked = main?.giver_id === caller ? main.taker : main?.giver
  const hasThanked = thanks.some(({ author_id }) => author_id === caller)
  if (state === 'done' && thanked && !main?.is_blocked && !hasThanked) allowed.push('thank')
  return allowed
}

/** Returns the leg that the caller takes, or if there is none, the one that they give. */
export function mainLegOf<Leg extends { giver_id: number; taker_id: number }>(
  legs: readonly Leg[],
  caller: number,
): Leg | undefined {
  return legs.find(({ taker_id }) => taker_id === caller) ?? legs.find(({ giver_id }) => giver_id === caller)
}
