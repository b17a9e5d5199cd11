import { isDeepStrictEqual } from 'node:util'
import { limits, states, types } from '#contract/constants.ts'
import { msg } from '#contract/message.ts'
import { type NewTrade, type Trade, tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { blockedPairs, hasBlockAmong } from '#server/features/members/blocks.ts'
import { languageOf } from '#server/features/members/language.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import type { CountFirstContact } from '#server/features/messages/first-contacts.ts'
import { storeTradeMessages } from '#server/features/messages/sending.ts'
import { keyOfRing } from '#server/features/rings/key.ts'
import { canProposeRing } from '#server/features/rings/rings.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Tx } from '#server/tables.ts'
import { amountIn, isEnough } from './amounts.ts'
import { notifyAll } from './notifications.ts'
import {
  countRecentRequests,
  countRequests,
  findOpenRing,
  findRequest,
  insertTrade,
  isPromisedTo,
  listUnseen,
  type NewLeg,
} from './proposal-queries.ts'
import { listLegs, listListings, listTradeRows, lockListings, type TradeListingRow } from './queries.ts'
import { conflict, dayMs, type Needs, timesOf } from './trades.ts'
import { partiesOf, tradeOf } from './views.ts'

interface Contacts {
  readonly countFirstContact: CountFirstContact
}

interface Proposal {
  readonly kind: Trade['kind']
  /** In the order of giving. The first one is the requested listing. */
  readonly legs: readonly NewLeg[]
}

/**
 * Requests a listing, or proposes a swap or a ring. Returns an open trade for the same listings instead. Throws `invalid`, `not_found`,
 * `forbidden` for a block, `trade_conflict` (also for an open trade that differs), `too_many`, and like `CountFirstContact` for a note.
 */
export async function propose(
  { db, countFirstContact, ...deps }: Needs & Pick<Deps, 'translatorFor'> & Contacts,
  caller: number,
  input: NewTrade,
): Promise<{ trade: Trade; isNew: boolean }> {
  const ids = input.ring ?? [input.listing_id, input.offer_listing_id].filter((id) => id !== undefined)
  if (input.note) await countNote({ db, countFirstContact }, caller, ids, input.note)
  const { id, messages } = await inTransaction(db, async (tx) => {
    const owners = [...(await listListings(tx, ids)).values()].map(({ owner_id }) => owner_id)
    const members = await lockMembers(tx, [caller, ...owners])
    await lockListings(tx, ids)
    const listings = await listListings(tx, ids)
    const { kind, legs } = input.ring
      ? await ringLegs(tx, caller, input.ring, listings)
      : await singleOrSwap(tx, caller, input, listings)
    const parties = partiesOf(legs)
    if (parties.some((id) => !members.includes(id))) throw listingNotFound()
    await requireNoBlock(tx, caller, parties)

    const note = input.note || null
    const before = await findOpenTrade(tx, caller, kind, legs)
    if (before !== undefined) {
      if (!(await isSameTrade(tx, before, legs, { note, quantity: input.quantity })))
        throw conflict(tradeMessages.openAlready)
      return { id: before, messages: undefined }
    }
    requireAvailable(legs, input.quantity)
    if (kind === 'ring') await requirePossibleRing(tx, legs)
    if ((await countRequests(tx, caller)) >= limits.trade.openRequests)
      throw new AppError('too_many', tradeMessages.tooMany, { retryAfter: dayMs / 1000 })
    const requested = legs.filter(({ is_requested }) => is_requested).map(({ listing }) => listing.id)
    if ((await countRecentRequests(tx, caller, requested)) >= limits.trade.requestsOfListingPerDay)
      throw new AppError('too_many', tradeMessages.tooOften, { retryAfter: dayMs / 1000 })

    const period = kind === 'ring' ? 'ring' : 'request'
    const id = await insertTrade(tx, { kind, requester_id: caller, note, ...timesOf(period) }, legs)
    await deps.events.publish(tx, 'trade_changed', { trade_id: id, step: 'request', state: 'requested' })
    const recipients = parties.filter((member) => member !== caller)
    const t = deps.translatorFor(await languageOf(tx, caller))
    const messages = await storeTradeMessages(
      tx,
      recipients.map((receiver_id) => ({
        sender_id: caller,
        receiver_id,
        content: note ?? t(defaultNotes[kind]),
        listing_id: messageListingFor(kind, legs, receiver_id),
        trade_id: id,
      })),
    )
    const steps = recipients.map(
      (user_id) => ({ user_id, from_id: caller, kind: 'trade_requested', trade_id: id }) as const,
    )
    await notifyAll(deps, tx, id, steps)
    return { id, messages }
  })
  for (const message of messages ?? [])
    deps.realtime.publish([message.sender_id, message.receiver_id], 'new_message', message)
  return { trade: await tradeOf(db, caller, id), isNew: messages !== undefined }
}

/** Counts a note as a first message to the owners of the listings. Outside of the transaction, because counting needs a connection of its own. */
async function countNote(
  { db, countFirstContact }: Pick<Deps, 'db'> & Contacts,
  caller: number,
  ids: readonly number[],
  note: string,
): Promise<void> {
  for (const { owner_id } of (await listListings(db, ids)).values())
    if (owner_id !== caller) await countFirstContact(caller, owner_id, note)
}

/** Throws `forbidden` for a block of the caller. Does not reveal one between other members of a ring. */
async function requireNoBlock(tx: Tx, caller: number, parties: readonly number[]): Promise<void> {
  const blocks = await blockedPairs(tx, parties)
  if (blocks.some((pair) => pair.includes(caller))) throw new AppError('forbidden', tradeMessages.notPossible)
  if (blocks.length > 0) throw conflict(tradeMessages.ringNotPossible)
}

function listingNotFound(): AppError {
  return new AppError('not_found', tradeMessages.listingNotFound)
}

/** Returns the listing of the first message: in a ring, the one that the receiver gets. */
function messageListingFor(kind: Trade['kind'], legs: readonly NewLeg[], receiver: number): number {
  const leg = kind === 'ring' ? legs.find(({ taker_id }) => taker_id === receiver) : legs[0]
  return leg?.listing.id ?? 0
}

/** Replaces a missing note, in the language of the member. Names no title: the message shows its listing, unless that is hidden. */
const defaultNotes: Record<Trade['kind'], string> = {
  single: msg('I’d like this.'),
  swap: msg('Would you swap?'),
  ring: msg('I propose a ring.'),
}

/** Returns the leg of a request, or the two of a swap. */
async function singleOrSwap(
  tx: Tx,
  caller: number,
  { listing_id = 0, offer_listing_id, quantity }: NewTrade,
  listingsById: ReadonlyMap<number, TradeListingRow>,
): Promise<Proposal> {
  const listing = listingsById.get(listing_id)
  if (!listing) throw listingNotFound()
  if (listing.owner_id === caller) throw invalid('listing_id', tradeMessages.ownListing)
  const owner = listing.owner_id
  if ((await listUnseen(tx, [listing_id], [caller])).length > 0) {
    // A block hides the listing too. Answers 403 like messages, if the listing is visible to everyone else.
    if (listing.is_public && (await hasBlockAmong(tx, [caller, owner])))
      throw new AppError('forbidden', tradeMessages.notPossible)
    throw listingNotFound()
  }
  const requestedLeg: NewLeg = {
    listing,
    giver_id: owner,
    taker_id: caller,
    is_requested: true,
    quantity: amountIn(listing, quantity),
  }
  if (offer_listing_id === undefined) return { kind: 'single', legs: [requestedLeg] }
  const offer = listingsById.get(offer_listing_id)
  if (offer?.owner_id !== caller) throw invalid('offer_listing_id', tradeMessages.offerNotYours)
  if ((await listUnseen(tx, [offer.id], [owner])).length > 0)
    throw invalid('offer_listing_id', tradeMessages.offerNotVisible)
  return {
    kind: 'swap',
    legs: [
      requestedLeg,
      {
        listing: offer,
        giver_id: caller,
        taker_id: owner,
        is_requested: false,
        quantity: amountIn(offer, 1),
      },
    ],
  }
}

/** Returns the legs of a ring: each owner gives to the owner of the next listing. */
async function ringLegs(
  tx: Tx,
  caller: number,
  ids: readonly number[],
  listingsById: ReadonlyMap<number, TradeListingRow>,
): Promise<Proposal> {
  const listings = ids.map((id) => listingsById.get(id))
  const unseen = await listUnseen(tx, ids, [caller])
  const found = listings.filter((listing) => listing !== undefined)
  if (found.length < ids.length) throw listingNotFound()
  if (unseen.length > 0) {
    const hidden = unseen.map(({ listing_id }) => listingsById.get(listing_id))
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
  const legs = found.map((listing, index) => ({
    listing,
    giver_id: listing.owner_id,
    taker_id: found[(index + 1) % found.length]?.owner_id ?? 0,
    is_requested: listing.owner_id !== caller,
    quantity: amountIn(listing, 1),
  }))
  return { kind: 'ring', legs }
}

/** Returns whether a listing may be in a ring. It must be public, because each member of a ring sees all listings. */
function isOpenToRings({ type_id, open_to_rings, is_public }: TradeListingRow): boolean {
  return is_public && (type_id === types.exchange || (type_id === types.giveaway && open_to_rings))
}

/** Returns the caller's open trade for the same. Throws `trade_conflict` for a listing that is promised to the caller. */
async function findOpenTrade(
  tx: Tx,
  caller: number,
  kind: Trade['kind'],
  legs: readonly NewLeg[],
): Promise<number | undefined> {
  if (kind === 'ring') {
    const listings = legs.map(({ listing }) => listing.id)
    return (await findOpenRing(tx, keyOfRing(listings)))?.id
  }
  const [requested] = legs
  if (requested && (await isPromisedTo(tx, requested.listing.id, caller)))
    throw conflict(tradeMessages.promisedToYou)
  return (await findRequest(tx, caller, requested?.listing.id ?? 0))?.id
}

/** Returns whether an open trade says all that is proposed. A proposal without a note or quantity repeats one with it. */
async function isSameTrade(
  tx: Tx,
  id: number,
  proposed: readonly NewLeg[],
  { note, quantity }: { note: string | null; quantity: number | undefined },
): Promise<boolean> {
  const [before] = await listTradeRows(tx, [id])
  const legsBefore = await listLegs(tx, id)
  const stored = legsBefore.map(({ listing_id, taker_id }) => `${listing_id} ${taker_id}`)
  const legs = proposed.map(({ listing, taker_id }) => `${listing.id} ${taker_id}`)
  return (
    isDeepStrictEqual(new Set(legs), new Set(stored)) &&
    (note === null || note === before?.note) &&
    (quantity === undefined || quantity === (legsBefore[0]?.quantity ?? 1))
  )
}

/** Throws `trade_conflict` if one of the conditions of a ring does not hold. */
async function requirePossibleRing(tx: Tx, legs: readonly NewLeg[]): Promise<void> {
  const givers = legs.map(({ giver_id }) => giver_id)
  const listings = legs.map(({ listing }) => listing.id)
  if (!(await canProposeRing(tx, { givers, listings }))) throw conflict(tradeMessages.ringNotPossible)
}

/**
 * Throws `trade_conflict` for a listing that is gone or has ended, and for a promised one of the caller. Promised listings of others can be
 * requested. Throws `invalid` for more of the listing than can be promised now, or if nothing is left, after a promise has ended.
 */
function requireAvailable(legs: readonly NewLeg[], asked: number | undefined): void {
  for (const { listing, is_requested, quantity } of legs) {
    const isOver = listing.state_id === states.gone || listing.is_expired
    if (isOver || (!is_requested && !isEnough(listing, quantity))) throw conflict(tradeMessages.notAvailable)
  }
  const [requested] = legs
  if (asked === undefined || !requested) return
  const { quantity_left, promised } = requested.listing
  if (quantity_left === null && asked > 1) throw invalid('quantity', tradeMessages.givenAsWhole)
  const most = legs.length > 2 ? 1 : quantity_left || promised
  if (quantity_left !== null && asked > most) throw invalid('quantity', tradeMessages.notSoMany)
}
