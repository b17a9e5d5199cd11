import { handoverConfirmDays, states, tradeDays } from '#contract/constants.ts'
import { type EndReason, type Trade, tradeMessages } from '#contract/trades.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { lockMembersForShare } from '#server/features/members/lock-members.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Tx } from '#server/tables.ts'
import { amountIn, isEnough } from './amounts.ts'
import { applyEffect } from './effects.ts'
import { notifyAll, type TradeStep } from './notifications.ts'
import {
  extendTrade,
  findTrade,
  type LegRow,
  listLegs,
  listListings,
  listOpenOfListing,
  lockListings,
  lockTrade,
  type TradeRow,
  updateLegs,
  updateQuantities,
  updateTrade,
} from './queries.ts'
import {
  decide,
  isOpen,
  type NotificationEffect,
  type Progress,
  type Step,
  type Transition,
} from './state-machine.ts'
import { mainLegOf, partiesOf, roleOf, tradeOf } from './views.ts'

/** The dependencies of a step within a transaction. */
export type StepDeps = Publisher & Pick<Deps, 'events' | 'jobs'>
export type Needs = StepDeps & Pick<Deps, 'db'>

export const conflict = (message: string = tradeMessages.conflict) => new AppError('trade_conflict', message)
export const dayMs = 24 * 60 * 60 * 1000

/** Returns the times at which a trade lapses and its members are reminded, counted from now. */
export function timesOf(period: keyof typeof tradeDays): { expires_at: string; remind_at: string } {
  const { lapse, remind } = tradeDays[period]
  const expires = Date.now() + lapse * dayMs
  return {
    expires_at: new Date(expires).toISOString(),
    remind_at: new Date(expires - remind * dayMs).toISOString(),
  }
}

/**
 * Takes a step of a trade for a party. A step that has happened changes nothing. Throws `not_found`, `forbidden`, `invalid` and
 * `trade_conflict`.
 */
export async function takeStep(
  { db, ...deps }: Needs,
  caller: number,
  id: number,
  asked: 'accept' | 'decline' | 'withdraw' | 'hand_over' | 'deny_hand_over',
  { listing_id }: { readonly listing_id?: number | undefined } = {},
): Promise<Trade> {
  const isTaker = ({ taker_id }: LegRow) => taker_id === caller
  await inTransaction(db, async (tx) => {
    if (!(await findTrade(tx, id, caller))) throw new AppError('not_found', tradeMessages.notFound)
    const locked = await lockForStep(tx, id)
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    const { trade, legs } = locked
    const taken = legsOf(asked, legs, caller, listing_id)
    const step = asked === 'hand_over' && taken.some(isTaker) ? 'receive' : asked
    const outcome = decide(trade.state, step, roleOf(trade, caller), progressOf(step, legs, taken))
    if (outcome === 'same') return
    if (outcome === 'forbidden') throw new AppError('forbidden', tradeMessages.notAllowed)
    if (outcome === 'conflict') throw conflict()
    if (step === 'accept') await requireFree(tx, legs)
    const places = taken.map(({ place }) => place)
    await changeLegs(tx, id, step, places)
    await applyTransition(deps, tx, locked, outcome, {
      step,
      taken,
      actor: caller,
      isActorNamed: trade.kind !== 'ring' || step !== 'decline',
    })
  })
  return tradeOf(db, caller, id)
}

/** Marks the legs that a step changes. */
async function changeLegs(tx: Tx, id: number, step: Step, places: readonly number[]): Promise<void> {
  if (step === 'accept') await updateLegs(tx, id, places, { accepted: true })
  if (step === 'hand_over' || step === 'confirm')
    await updateLegs(tx, id, places, { handed_over: true, confirm_at: null })
  if (step === 'deny_hand_over') await updateLegs(tx, id, places, { confirm_at: null })
  if (step !== 'receive') return
  const confirmMs = Date.now() + handoverConfirmDays * dayMs
  await updateLegs(tx, id, places, { confirm_at: new Date(confirmMs).toISOString() })
  await extendTrade(tx, id, new Date(confirmMs + dayMs).toISOString())
}

/** A trade with its legs. The rows of its members, its listings and the trade are locked. */
export interface LockedTrade {
  /** The parties who have not left or been suspended. */
  readonly members: readonly number[]
  readonly trade: TradeRow
  readonly legs: readonly LegRow[]
}

/** Locks the members against leaving, then the listings in the order of their ids, then the trade. */
export async function lockForStep(tx: Tx, id: number): Promise<LockedTrade | undefined> {
  const before = await listLegs(tx, id)
  const members = await lockMembersForShare(tx, partiesOf(before))
  await lockListings(
    tx,
    before.map(({ listing_id }) => listing_id),
  )
  const trade = await lockTrade(tx, id)
  return trade && { members, trade, legs: await listLegs(tx, id) }
}

/** Returns the legs that a step changes. Throws `invalid` and `forbidden` for a listing that is not in a leg of the caller. */
function legsOf(
  step: Step,
  legs: readonly LegRow[],
  caller: number,
  listingId: number | undefined,
): readonly LegRow[] {
  const given = legs.filter(({ giver_id }) => giver_id === caller)
  if (step === 'accept') return given
  if (step === 'deny_hand_over') {
    if (given.length === 0) throw new AppError('forbidden', tradeMessages.notAllowed)
    if (given.some(({ handed_over }) => handed_over)) throw conflict()
    return given
  }
  if (step !== 'hand_over') return []
  if (listingId === undefined) {
    const leg = mainLegOf(legs, caller)
    return leg ? [leg] : []
  }
  const leg = legs.find(({ listing_id }) => listing_id === listingId)
  if (!leg) throw invalid('listing_id', tradeMessages.listingNotFound)
  if (leg.giver_id !== caller && leg.taker_id !== caller)
    throw new AppError('forbidden', tradeMessages.notAllowed)
  return [leg]
}

/** Returns the progress of the trade after a step changes these legs. */
function progressOf(step: Step, legs: readonly LegRow[], taken: readonly LegRow[]): Progress {
  if (step === 'receive')
    return taken.every((leg) => leg.handed_over || leg.confirm_at !== null) ? 'repeated' : 'complete'
  if (step === 'deny_hand_over')
    return taken.every(({ confirm_at }) => confirm_at === null) ? 'repeated' : 'complete'
  if (step !== 'accept' && step !== 'hand_over' && step !== 'confirm') return 'complete'
  const isDone = (leg: LegRow) => (step === 'accept' ? leg.accepted : leg.handed_over)
  if (taken.every(isDone)) return 'repeated'
  return legs.every((leg) => isDone(leg) || taken.includes(leg)) ? 'complete' : 'partial'
}

/** Throws `trade_conflict` unless every listing is there, not gone, not hidden, and enough of it is not promised in other trades. */
async function requireFree(tx: Tx, legs: readonly LegRow[]): Promise<void> {
  const listings = await listListings(
    tx,
    legs.map(({ listing_id }) => listing_id),
  )
  for (const { listing_id, quantity } of legs) {
    const listing = listings.get(listing_id)
    if (!listing || listing.state_id === states.gone) throw conflict(tradeMessages.notAvailable)
    if (listing.is_hidden) throw conflict(tradeMessages.listingHidden)
    if (!isEnough(listing, amountIn(listing, quantity)))
      throw conflict(listing.quantity === null ? undefined : tradeMessages.notEnough)
  }
}

interface Cause {
  readonly step: Step
  /** The legs that the step changes. */
  readonly taken?: readonly LegRow[]
  /** Why the trade lapses. */
  readonly endReason?: EndReason
  /** The member who took the step; undefined for the system. */
  readonly actor: number | undefined
  /** True if notifications may name the member. */
  readonly isActorNamed: boolean
}

/** Applies a transition with its effects on listings, notifications and jobs. Everything is locked. */
async function applyTransition(
  deps: StepDeps,
  tx: Tx,
  { trade, legs }: LockedTrade,
  { to, listings, notify }: Transition,
  cause: Cause,
): Promise<void> {
  const { id, state } = trade
  const { actor } = cause
  const parties = partiesOf(legs)
  if (listings === 'promise') await updateQuantities(tx, id)
  if (to !== state) {
    const times = isOpen(to) ? timesOf('promise') : { expires_at: null, remind_at: null }
    const end_reason = to === 'lapsed' ? (cause.endReason ?? null) : null
    await updateTrade(tx, id, { state: to, ...times, end_reason })
  }
  const effect = listings && (await applyEffect(tx, listings, id, legs))
  const audiences: Audiences = {
    others: parties
      .filter((member) => member !== actor)
      .map((user_id) => notificationTo(id, parties, user_id, cause)),
    everyone: parties.map((user_id) => notificationTo(id, parties, user_id, cause)),
    giver: (cause.taken ?? []).map(({ giver_id }) => notificationTo(id, parties, giver_id, cause)),
    taker: (cause.taken ?? []).map(({ taker_id }) => notificationTo(id, parties, taker_id, cause)),
    waiting: distinctTrades(effect?.waiting ?? []).map((request) => ({
      user_id: request.requester_id,
      from_id: request.giver_id,
      trade_id: request.id,
    })),
    owners: (effect?.next ?? []).map((next) => ({
      user_id: next.giver_id,
      from_id: next.requester_id,
      trade_id: next.id,
    })),
  }
  const steps = notify.flatMap(({ kind, to: audience }) =>
    audiences[audience].map((step) => ({ ...step, kind })),
  )
  await notifyAll(deps, tx, id, steps)
  await deps.events.publish(tx, 'trade_changed', { trade_id: id, step: cause.step, state: to })
  // Subscribers of this event end the requests for a listing that is gone.
  for (const change of effect?.changed ?? []) await deps.events.publish(tx, 'listing_changed', change)
}

/** The members of each audience of a notification, with the member and the trade that it names. */
type Audiences = Record<NotificationEffect['to'], readonly Omit<TradeStep, 'kind'>[]>

/** Returns a notification with the member that it names: the one who took the step, for a lapsed trade the other side, or nobody but the receiver. */
function notificationTo(
  trade_id: number,
  parties: readonly number[],
  user_id: number,
  { actor, isActorNamed }: Cause,
) {
  const other = actor ?? (parties.length === 2 ? parties.find((member) => member !== user_id) : undefined)
  return { user_id, from_id: isActorNamed && other !== undefined ? other : user_id, trade_id }
}

/** Returns each trade once, because a ring can wait for several of the listings. */
function distinctTrades<Request extends { id: number }>(requests: readonly Request[]): Request[] {
  return requests.filter(({ id }, index) => requests.findIndex((other) => other.id === id) === index)
}

/** Ends the requests for a listing that is not offered any more; with `all`, the promises too, in the name of its owner. */
export async function endTradesWith(
  deps: StepDeps,
  tx: Tx,
  { listing_id, owner_id }: { listing_id: number; owner_id: number },
  which: 'requests' | 'all',
  endReason: EndReason = 'gone',
): Promise<void> {
  const open = await listOpenOfListing(tx, listing_id)
  // Ends requests before the promise: afterwards no request is next, so no owner is notified of one.
  const ending = [
    ...open.filter(({ status }) => status === 'open'),
    ...open.filter(({ status }) => which === 'all' && status === 'promised'),
  ]
  for (const { trade_id, status } of ending)
    await leaveTrade(deps, tx, trade_id, owner_id, { isActorNamed: status === 'promised', endReason })
}

/**
 * Ends an open trade for a party who can no longer trade. Its members and listings may be locked already. Unless `isActorNamed`,
 * the others don't learn who it was; in a ring they never do.
 */
export async function leaveTrade(
  deps: StepDeps,
  tx: Tx,
  id: number,
  leaving: number,
  { isActorNamed = false, endReason = 'gone' }: { isActorNamed?: boolean; endReason?: EndReason } = {},
): Promise<void> {
  const locked = await lockForStep(tx, id)
  if (!locked) return
  const outcome = decide(locked.trade.state, 'leave', roleOf(locked.trade, leaving))
  if (typeof outcome === 'object')
    await applyTransition(deps, tx, locked, outcome, {
      step: 'leave',
      actor: leaving,
      isActorNamed: isActorNamed && locked.trade.kind !== 'ring',
      endReason,
    })
}

/** Ends a trade whose time is over. */
export function lapseTrade(needs: Needs, id: number): Promise<void> {
  return takeSystemStep(needs, id, 'lapse', async (_tx, { expires_at }) => {
    return expires_at !== null && Date.parse(expires_at) <= Date.now()
  })
}

/** Ends an unanswered request for a listing that has ended, unless the listing was relisted meanwhile. */
export function endRequest(needs: Needs, id: number, listingId: number): Promise<void> {
  return takeSystemStep(needs, id, 'end', async (tx) => {
    return (await listListings(tx, [listingId])).get(listingId)?.is_expired === true
  })
}

/** Confirms the handovers of a trade that their givers have not answered in time. */
export function confirmHandOvers(needs: Needs, id: number): Promise<void> {
  return takeSystemStep(needs, id, 'confirm', async () => true)
}

/** Returns whether the giver has not answered in time. */
const isConfirmed = ({ confirm_at, handed_over }: LegRow) =>
  !handed_over && confirm_at !== null && Date.parse(confirm_at) <= Date.now()

/** Takes a step of a trade that no member takes, if it is still due when everything is locked. */
async function takeSystemStep(
  { db, ...deps }: Needs,
  id: number,
  step: 'lapse' | 'end' | 'confirm',
  isDue: (tx: Tx, trade: TradeRow) => Promise<boolean>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await lockForStep(tx, id)
    if (!locked || !(await isDue(tx, locked.trade))) return
    const taken = step === 'confirm' ? locked.legs.filter(isConfirmed) : []
    if (step === 'confirm' && taken.length === 0) return
    const outcome = decide(locked.trade.state, step, 'system', progressOf(step, locked.legs, taken))
    if (typeof outcome !== 'object') return
    await changeLegs(
      tx,
      id,
      step,
      taken.map(({ place }) => place),
    )
    await applyTransition(deps, tx, locked, outcome, { step, actor: undefined, isActorNamed: true })
  })
}
