import { states } from '#contract/constants.ts'
import { tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { setAmounts } from '#server/features/listings/edit.ts'
import { AppError } from '#server/platform/errors.ts'
import { runEach } from '#server/platform/jobs.ts'
import type { Tx } from '#server/tables.ts'
import { stateOf } from './amounts.ts'
import {
  deleteTradesOfFormer,
  listOpenBetween,
  listOpenOf,
  listRequestsUnseen,
  listUnseenBetween,
} from './ending-queries.ts'
import { deletePlacesOf, listListings, listOpenOfListing, type TradeListingRow } from './queries.ts'
import { endRequest, endTradesWith, leaveTrade, type StepDeps } from './trades.ts'

/** Ends a member's open trades without revealing the reason. */
export async function endTradesOf(deps: StepDeps, tx: Tx, member: number): Promise<void> {
  for (const id of await listOpenOf(tx, member)) await leaveTrade(deps, tx, id, member)
}

/** Ends the trades of a member whose account is about to be deleted. Deletes those that have no other member. */
export async function leaveTrades(deps: StepDeps, tx: Tx, member: number): Promise<void> {
  await endTradesOf(deps, tx, member)
  await deletePlacesOf(tx, member)
  await deleteTradesOfFormer(tx, member)
}

/** Ends the open trades between two members after a block. */
export async function endTradesBetween(
  deps: StepDeps,
  tx: Tx,
  { blocker_id, blocked_id }: { blocker_id: number; blocked_id: number },
): Promise<void> {
  for (const id of await listOpenBetween(tx, blocker_id, blocked_id))
    await leaveTrade(deps, tx, id, blocker_id)
}

/** Ends the requests between former friends for listings that they can no longer see. */
export async function endHiddenRequestsBetween(
  deps: StepDeps,
  tx: Tx,
  { user_id, friend_id }: { user_id: number; friend_id: number },
): Promise<void> {
  for (const { trade_id, giver_id } of await listUnseenBetween(tx, user_id, friend_id))
    await leaveTrade(deps, tx, trade_id, giver_id)
}

/** Ends the unanswered requests for a listing that has ended by its time. A promise stays: it may still be handed over. */
export async function endRequests(
  needs: StepDeps & Pick<Deps, 'db'>,
  { listing_id }: { listing_id: number },
): Promise<void> {
  const open = await listOpenOfListing(needs.db, listing_id)
  const requests = open.filter(({ status }) => status === 'open')
  await runEach(requests, ({ trade_id }) => endRequest(needs, trade_id, listing_id))
}

interface ListingChange {
  readonly listing_id: number
  readonly owner_id: number
  readonly changed: readonly string[]
  readonly is_given?: boolean
}

/**
 * Ends the requests for a listing that is gone, or that a member of the trade can no longer see. Throws `trade_conflict` if the
 * state of a promised listing was changed, or whether it has a quantity.
 */
export async function endInvalidRequests(
  deps: StepDeps,
  tx: Tx,
  { listing_id, owner_id, changed, is_given = false }: ListingChange,
): Promise<void> {
  const listing = (await listListings(tx, [listing_id])).get(listing_id)
  if (!listing) return
  if (changed.includes('quantity') && (await alignState(deps, tx, listing))) return
  if (listing.promise_count > 0 && listing.state_id !== stateOf(listing)) throw listingPromised()
  if (listing.state_id === states.gone)
    return endTradesWith(deps, tx, { listing_id, owner_id }, 'requests', is_given ? 'given' : 'gone')
  for (const { trade_id } of await listRequestsUnseen(tx, listing_id))
    await leaveTrade(deps, tx, trade_id, owner_id)
}

const listingPromised = () => new AppError('trade_conflict', tradeMessages.listingPromised)

/**
 * Sets the state of a listing whose quantity was changed to what is left of it. Returns whether that has changed it. Throws
 * `trade_conflict` if the listing has got or lost its quantity while it is promised.
 */
async function alignState(deps: StepDeps, tx: Tx, listing: TradeListingRow): Promise<boolean> {
  const { id, owner_id, quantity, quantity_left, promise_count, counted_promises, state_id } = listing
  if (counted_promises !== (quantity === null ? 0 : promise_count)) throw listingPromised()
  const isBound = promise_count > 0 || quantity_left === 0
  const aligned = stateOf(listing)
  if (quantity === null || !isBound || state_id === aligned) return false
  await setAmounts(tx, [{ id, state_id: aligned, quantity_left }])
  await deps.events.publish(tx, 'listing_changed', { listing_id: id, owner_id, changed: ['state_id'] })
  return true
}
