import type { Transaction } from 'kysely'
import { limits, states, tradeDays, types } from '#contract/constants.ts'
import type { TradeNotificationKind } from '#contract/notifications.ts'
import { type NewTrade, type Trade, tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { insertTradeMessages } from '#server/features/messages/trade-messages.ts'
import { notifyOfTrades } from '#server/features/notifications/notifications.ts'
import { retryDeadlock } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Tables } from '#server/tables.ts'
import { publishTrade, tradeMail, tradePush } from './job-kinds.ts'
import {
  countRequests,
  findOpenRing,
  findRequest,
  findTrade,
  hasBlockAmong,
  insertTrade,
  type LegRow,
  type ListingFacts,
  listFacts,
  listLegs,
  listOpenOfListing,
  listUnseen,
  listWaiting,
  lockListings,
  lockMembers,
  lockMembersForShare,
  lockTrade,
  type NewLeg,
  type TradeRow,
  updateLegs,
  updateListingStates,
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
import { legOfHandOver, partiesOf, roleOf, tradeOf } from './views.ts'

/** The dependencies of a change within a transaction. */
export type Effects = Pick<Deps, 'events' | 'jobs'>
type Needs = Effects & Pick<Deps, 'db'>
type Tx = Transaction<Tables>

const conflict = (message: string = tradeMessages.conflict) => new AppError('trade_conflict', message)
const dayMs = 24 * 60 * 60 * 1000

/** Returns when a trade lapses, and when its members are reminded of it. */
export function timesOf(period: keyof typeof tradeDays): { expires_at: string; remind_at: string } {
  const { lapse, remind } = tradeDays[period]
  const expires = Date.now() + lapse * dayMs
  return {
    expires_at: new Date(expires).toISOString(),
    remind_at: new Date(expires - remind * dayMs).toISOString(),
  }
}

interface Proposal {
  readonly kind: Trade['kind']
  /** In the order of giving; the first one is asked for. */
  readonly legs: readonly NewLeg[]
}

/**
 * Asks for a listing, or proposes a swap or a ring. An open one for the same is returned instead. Throws `invalid`, `not_found`,
 * `forbidden` for a block, `trade_conflict` and `too_many`.
 */
export async function propose(
  { db, events, jobs, realtime }: Needs & Pick<Deps, 'realtime'>,
  caller: number,
  input: NewTrade,
): Promise<{ trade: Trade; isNew: boolean }> {
  const { id, messages } = await retryDeadlock(db, async (tx) => {
    const ids = input.ring ?? [input.listing_id, input.offer_listing_id].filter((id) => id !== undefined)
    const owners = [...(await listFacts(tx, ids)).values()].map(({ owner_id }) => owner_id)
    const members = await lockMembers(tx, [caller, ...owners])
    await lockListings(tx, ids)
    const facts = await listFacts(tx, ids)
    const { kind, legs } = input.ring
      ? await ringOf(tx, caller, input.ring, facts)
      : await pairOf(tx, caller, input, facts)
    const parties = partiesOf(legs)
    if (parties.some((id) => !members.includes(id))) throw listingNotFound()
    if (await hasBlockAmong(tx, parties)) throw new AppError('forbidden', tradeMessages.notPossible)

    const before = await findOpen(tx, caller, kind, legs)
    if (before !== undefined) return { id: before, messages: undefined }
    requireAvailable(legs)
    if ((await countRequests(tx, caller)) >= limits.trade.openRequests)
      throw new AppError('too_many', tradeMessages.tooMany, { retryAfter: dayMs / 1000 })

    const note = input.note || null
    const period = kind === 'ring' ? 'ring' : 'request'
    const id = await insertTrade(tx, { kind, requester_id: caller, note, ...timesOf(period) }, legs)
    await events.publish(tx, 'trade_changed', { trade_id: id, step: 'request', state: 'requested' })
    const asked = parties.filter((member) => member !== caller)
    const messages = await insertTradeMessages(
      tx,
      asked.map((receiver_id) => ({
        sender_id: caller,
        receiver_id,
        content: note ?? defaultNote(kind, legs, receiver_id),
        listing_id: aboutFor(kind, legs, receiver_id),
        trade_id: id,
      })),
    )
    await notifyAll({ jobs }, tx, id, [
      ...asked.map((user_id) => ({
        user_id,
        from_id: caller,
        kind: 'trade_requested' as const,
        trade_id: id,
      })),
    ])
    return { id, messages }
  })
  for (const message of messages ?? [])
    realtime.publish([message.sender_id, message.receiver_id], 'new_message', message)
  return { trade: await tradeOf(db, caller, id), isNew: messages !== undefined }
}

function listingNotFound(): AppError {
  return new AppError('not_found', tradeMessages.listingNotFound)
}

/** Returns the listing that the first message is about: in a ring, what its receiver gets. */
function aboutFor(kind: Trade['kind'], legs: readonly NewLeg[], receiver: number): number {
  const leg = kind === 'ring' ? legs.find(({ taker_id }) => taker_id === receiver) : legs[0]
  return leg?.listing.id ?? 0
}

function defaultNote(kind: Trade['kind'], legs: readonly NewLeg[], receiver: number): string {
  const [wanted, offered] = legs.map(({ listing }) => listing.title)
  if (kind === 'single') return `I’d like this: ${wanted}`
  if (kind === 'swap') return `Would you swap ${wanted} for ${offered}?`
  const gets = legs.find(({ taker_id }) => taker_id === receiver)?.listing.title
  return `I propose a ring. You would get ${gets}.`
}

/** Returns the leg of a request, or the two of a swap. */
async function pairOf(
  tx: Tx,
  caller: number,
  { listing_id = 0, offer_listing_id }: NewTrade,
  facts: ReadonlyMap<number, ListingFacts>,
): Promise<Proposal> {
  const listing = facts.get(listing_id)
  if (!listing) throw listingNotFound()
  if (listing.owner_id === caller) throw invalid('listing_id', tradeMessages.ownListing)
  const owner = listing.owner_id
  if ((await listUnseen(tx, [listing_id], [caller])).length > 0) {
    // A block hides the listing too. It is answered as messages answer it, but only about what everyone else can see.
    if (listing.is_public && (await hasBlockAmong(tx, [caller, owner])))
      throw new AppError('forbidden', tradeMessages.notPossible)
    throw listingNotFound()
  }
  const asked: NewLeg = { listing, giver_id: owner, taker_id: caller, is_asked: true }
  if (offer_listing_id === undefined) return { kind: 'single', legs: [asked] }
  const offer = facts.get(offer_listing_id)
  if (offer?.owner_id !== caller) throw invalid('offer_listing_id', tradeMessages.offerNotYours)
  if ((await listUnseen(tx, [offer.id], [owner])).length > 0)
    throw invalid('offer_listing_id', tradeMessages.offerNotVisible)
  return {
    kind: 'swap',
    legs: [asked, { listing: offer, giver_id: caller, taker_id: owner, is_asked: false }],
  }
}

/** Returns the legs of a ring: each owner gives to the owner of the next listing. */
async function ringOf(
  tx: Tx,
  caller: number,
  ids: readonly number[],
  facts: ReadonlyMap<number, ListingFacts>,
): Promise<Proposal> {
  const listings = ids.map((id) => facts.get(id))
  const unseen = await listUnseen(tx, ids, [caller])
  const found = listings.filter((listing) => listing !== undefined)
  if (found.length < ids.length) throw listingNotFound()
  if (unseen.length > 0) {
    const hidden = unseen.map(({ listing_id }) => facts.get(listing_id))
    if (
      hidden.every((listing) => listing?.is_public) &&
      (await hasBlockAmong(
        tx,
        found.map(({ owner_id }) => owner_id),
      ))
    )
      throw new AppError('forbidden', tradeMessages.notPossible)
    throw listingNotFound()
  }
  const owners = found.map(({ owner_id }) => owner_id)
  if (new Set(ids).size < ids.length || new Set(owners).size < owners.length)
    throw invalid('ring', tradeMessages.ringTwice)
  if (!owners.includes(caller)) throw invalid('ring', tradeMessages.ringWithoutYou)
  if (!found.every(isOpenToRings)) throw invalid('ring', tradeMessages.ringNotOpen)
  const legs = found.map((listing, place) => ({
    listing,
    giver_id: listing.owner_id,
    taker_id: found[(place + 1) % found.length]?.owner_id ?? 0,
    is_asked: listing.owner_id !== caller,
  }))
  return { kind: 'ring', legs }
}

/** Only public listings, since each member of a ring sees all of it. */
function isOpenToRings({ type_id, open_to_rings, is_public }: ListingFacts): boolean {
  return is_public && (type_id === types.exchange || (type_id === types.giveaway && open_to_rings))
}

/** Returns the caller's open trade for the same. Throws `trade_conflict` for a listing that is promised to the caller. */
async function findOpen(
  tx: Tx,
  caller: number,
  kind: Trade['kind'],
  legs: readonly NewLeg[],
): Promise<number | undefined> {
  if (kind === 'ring')
    return findOpenRing(
      tx,
      legs.map(({ listing }) => listing.id),
    )
  const open = await findRequest(tx, caller, legs[0]?.listing.id ?? 0)
  if (open?.state === 'accepted') throw conflict(tradeMessages.promisedToYou)
  return open?.id
}

/** One may ask for a listing that is promised to another; one's own must be free. */
function requireAvailable(legs: readonly NewLeg[]): void {
  for (const { listing, is_asked } of legs) {
    const isOver = listing.state_id === states.gone || listing.has_ended
    if (isOver || (!is_asked && listing.promised_in !== null)) throw conflict(tradeMessages.notAvailable)
  }
}

/**
 * Takes a step of a trade for a party. A step that has happened changes nothing. Throws `not_found`, `forbidden`, `invalid` and
 * `trade_conflict`.
 */
export async function takeStep(
  { db, ...effects }: Needs,
  caller: number,
  id: number,
  step: 'accept' | 'decline' | 'withdraw' | 'hand_over',
  { listing_id }: { readonly listing_id?: number | undefined } = {},
): Promise<Trade> {
  await retryDeadlock(db, async (tx) => {
    if (!(await findTrade(tx, id, caller))) throw new AppError('not_found', tradeMessages.notFound)
    const locked = await lockForStep(tx, id)
    if (!locked) throw new AppError('not_found', tradeMessages.notFound)
    const { trade, legs } = locked
    const taken = legsOf(step, legs, caller, listing_id)
    const outcome = decide(trade.state, step, roleOf(trade, caller), progressOf(step, legs, taken))
    if (outcome === 'same') return
    if (outcome === 'forbidden') throw new AppError('forbidden', tradeMessages.notAllowed)
    if (outcome === 'conflict') throw conflict()
    if (step === 'accept') await requireFree(tx, trade, legs)
    const places = taken.map(({ place }) => place)
    if (step === 'accept') await updateLegs(tx, id, places, { accepted: true })
    if (step === 'hand_over') await updateLegs(tx, id, places, { handed_over: true })
    await apply(effects, tx, locked, outcome, {
      step,
      actor: caller,
      names: trade.kind !== 'ring' || step !== 'decline',
    })
  })
  return tradeOf(db, caller, id)
}

interface Locked {
  /** The parties who have not left. */
  readonly members: readonly number[]
  readonly trade: TradeRow
  readonly legs: readonly LegRow[]
}

/** Locks the members against leaving, then the listings in the order of their ids, then the trade. */
export async function lockForStep(tx: Tx, id: number): Promise<Locked | undefined> {
  const before = await listLegs(tx, id)
  const members = await lockMembersForShare(tx, partiesOf(before))
  await lockListings(
    tx,
    before.map(({ listing_id }) => listing_id),
  )
  const trade = await lockTrade(tx, id)
  return trade && { members, trade, legs: await listLegs(tx, id) }
}

/** Returns the legs that a step is about. */
function legsOf(
  step: Step,
  legs: readonly LegRow[],
  caller: number,
  listingId: number | undefined,
): readonly LegRow[] {
  if (step === 'accept') return legs.filter(({ giver_id }) => giver_id === caller)
  if (step !== 'hand_over') return []
  if (listingId === undefined) {
    const leg = legOfHandOver(legs, caller)
    return leg ? [leg] : []
  }
  const leg = legs.find(({ listing_id }) => listing_id === listingId)
  if (!leg) throw invalid('listing_id', tradeMessages.listingNotFound)
  if (leg.giver_id !== caller && leg.taker_id !== caller)
    throw new AppError('forbidden', tradeMessages.notAllowed)
  return [leg]
}

function progressOf(step: Step, legs: readonly LegRow[], taken: readonly LegRow[]): Progress {
  if (step !== 'accept' && step !== 'hand_over') return 'complete'
  const has = (leg: LegRow) => (step === 'accept' ? leg.accepted : leg.handed_over)
  if (taken.every(has)) return 'repeated'
  return legs.every((leg) => has(leg) || taken.includes(leg)) ? 'complete' : 'partial'
}

/** Throws `trade_conflict` unless every listing is there, not gone, and not promised in another trade. */
async function requireFree(tx: Tx, { id }: TradeRow, legs: readonly LegRow[]): Promise<void> {
  const facts = await listFacts(
    tx,
    legs.map(({ listing_id }) => listing_id),
  )
  for (const { listing_id } of legs) {
    const listing = facts.get(listing_id)
    if (!listing || listing.state_id === states.gone) throw conflict(tradeMessages.notAvailable)
    if (listing.promised_in !== null && listing.promised_in !== id) throw conflict()
  }
}

interface Cause {
  readonly step: Step
  /** The member who took the step; undefined for the system. */
  readonly actor: number | undefined
  /** Whether notifications may say who it was. */
  readonly names: boolean
}

/** Applies a transition with its effects on listings, notifications and jobs. Everything is locked. */
async function apply(
  effects: Effects,
  tx: Tx,
  { trade, legs }: Locked,
  { to, listings, notify }: Transition,
  cause: Cause,
): Promise<void> {
  const { id, state } = trade
  const { actor } = cause
  const parties = partiesOf(legs)
  if (to !== state) {
    const times = isOpen(to) ? timesOf('promise') : { expires_at: null, remind_at: null }
    await updateTrade(tx, id, { state: to, ...times })
  }
  const handedOver = legs.filter((leg) => leg.handed_over).map(({ listing_id }) => listing_id)
  const all = legs.map(({ listing_id }) => listing_id)
  const released = all.filter((listing) => !handedOver.includes(listing))
  if (listings === 'promise') await updateListingStates(tx, all, states.reserved)
  if (listings === 'finish') await updateListingStates(tx, all, states.gone)
  if (listings === 'release') {
    await updateListingStates(tx, handedOver, states.gone)
    await updateListingStates(tx, released, states.available)
  }
  const waiting = listings ? await listWaiting(tx, all, id) : []
  const about: Audiences = {
    others: parties
      .filter((member) => member !== actor)
      .map((user_id) => aboutTrade(id, parties, user_id, cause)),
    everyone: parties.map((user_id) => aboutTrade(id, parties, user_id, cause)),
    line: eachTradeOnce(waiting).map((request) => ({
      user_id: request.requester_id,
      from_id: request.giver_id,
      trade_id: request.id,
    })),
    owners: released.flatMap((listing) => {
      const next = waiting.find(({ listing_id }) => listing_id === listing)
      return next ? [{ user_id: next.giver_id, from_id: next.requester_id, trade_id: next.id }] : []
    }),
  }
  const steps = notify.flatMap(({ kind, to: audience }) => about[audience].map((step) => ({ ...step, kind })))
  await notifyAll(effects, tx, id, steps)
  await effects.events.publish(tx, 'trade_changed', { trade_id: id, step: cause.step, state: to })
  if (!listings) return
  // Requests for a listing that is gone end by this event.
  for (const { listing_id, giver_id } of legs)
    await effects.events.publish(tx, 'listing_changed', {
      listing_id,
      owner_id: giver_id,
      changed: ['state_id'],
    })
}

/** Whom each audience of a notification consists of, and what it is about. */
type Audiences = Record<NotificationEffect['to'], readonly Omit<TradeStep, 'kind'>[]>

/** Names who took the step, if that may be named. A trade that lapses names the other side, if there is one. */
function aboutTrade(trade_id: number, parties: readonly number[], user_id: number, { actor, names }: Cause) {
  const other = actor ?? (parties.length === 2 ? parties.find((member) => member !== user_id) : undefined)
  return { user_id, from_id: names && other !== undefined ? other : user_id, trade_id }
}

/** A ring can wait for several of the listings. */
function eachTradeOnce<Request extends { id: number }>(requests: readonly Request[]): Request[] {
  return requests.filter(({ id }, place) => requests.findIndex((other) => other.id === id) === place)
}

/** Ends the open trades with a listing for its owner: those that wait, or the promise as well. */
export async function endTradesWith(
  effects: Effects,
  tx: Tx,
  { listing_id, owner_id }: { listing_id: number; owner_id: number },
  which: 'open' | 'all',
): Promise<void> {
  const open = await listOpenOfListing(tx, listing_id)
  // Before the promise, so that nobody is asked about a next in line.
  const ending = [
    ...open.filter(({ status }) => status === 'open'),
    ...open.filter(({ status }) => which === 'all' && status === 'promised'),
  ]
  for (const { trade_id } of ending) await leaveTrade(effects, tx, trade_id, owner_id, { names: true })
}

interface TradeStep {
  readonly user_id: number
  readonly from_id: number
  readonly kind: TradeNotificationKind
  readonly trade_id: number
}

/** Stores the notifications of a change, and the jobs that publish, mail and push it. */
export async function notifyAll(
  { jobs }: Pick<Effects, 'jobs'>,
  tx: Tx,
  tradeId: number,
  steps: readonly TradeStep[],
): Promise<void> {
  const stored = steps.length > 0 ? await notifyOfTrades(tx, steps) : []
  const notifications = stored.map(({ id }) => id)
  await jobs.add(tx, publishTrade, { trade_id: tradeId, notifications })
  const others = new Set(steps.map(({ trade_id }) => trade_id).filter((id) => id !== tradeId))
  for (const trade_id of others) await jobs.add(tx, publishTrade, { trade_id, notifications: [] })
  const data = stored.map(({ id, user_id }) => ({ user_id, notification_id: id }))
  await jobs.addAll(tx, tradeMail, data)
  await jobs.addAll(tx, tradePush, data)
}

/**
 * Ends an open trade for a party who can no longer trade. Its members and listings may be locked already. Unless `names`, the
 * others are not told who it was; in a ring never.
 */
export async function leaveTrade(
  effects: Effects,
  tx: Tx,
  id: number,
  leaving: number,
  { names } = { names: false },
): Promise<void> {
  const locked = await lockForStep(tx, id)
  if (!locked) return
  const outcome = decide(locked.trade.state, 'leave', roleOf(locked.trade, leaving))
  if (typeof outcome === 'object')
    await apply(effects, tx, locked, outcome, {
      step: 'leave',
      actor: leaving,
      names: names && locked.trade.kind !== 'ring',
    })
}

/** Ends a trade whose time is over. */
export function lapseTrade(needs: Needs, id: number): Promise<void> {
  return takeSystemStep(needs, id, 'lapse', async (_tx, { expires_at }) => {
    return expires_at !== null && Date.parse(expires_at) <= Date.now()
  })
}

/** Ends an unanswered request for a listing that has ended, unless the listing was renewed meanwhile. */
export function endRequest(needs: Needs, id: number, listingId: number): Promise<void> {
  return takeSystemStep(needs, id, 'end', async (tx) => {
    return (await listFacts(tx, [listingId])).get(listingId)?.has_ended === true
  })
}

/** Takes a step of a trade that no member takes, if it is still due when everything is locked. */
async function takeSystemStep(
  { db, ...effects }: Needs,
  id: number,
  step: 'lapse' | 'end',
  isDue: (tx: Tx, trade: TradeRow) => Promise<boolean>,
): Promise<void> {
  await retryDeadlock(db, async (tx) => {
    const locked = await lockForStep(tx, id)
    if (!locked || !(await isDue(tx, locked.trade))) return
    const outcome = decide(locked.trade.state, step, 'system')
    if (typeof outcome === 'object')
      await apply(effects, tx, locked, outcome, { step, actor: undefined, names: true })
  })
}
