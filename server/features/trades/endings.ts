import { states } from '#contract/constants.ts'
import { tradeMessages } from '#contract/trades.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { runEach } from '#server/platform/jobs.ts'
import type { Tx } from '#server/tables.ts'
import {
  deleteTradesOfFormer,
  listOpenBetween,
  listOpenOf,
  listRequestsUnseen,
  listUnseenBetween,
} from './ending-queries.ts'
import { listListings, listOpenOfListing } from './queries.ts'
import { endRequest, endTradesWith, leaveTrade, type StepDeps } from './trades.ts'

/** Ends a member's open trades without revealing the reason. */
export async function endTradesOf(deps: StepDeps, tx: Tx, member: number): Promise<void> {
  for (const id of await listOpenOf(tx, member)) await leaveTrade(deps, tx, id, member)
}

/** Ends the trades of a member whose account is about to be deleted. Deletes those that have no other member. */
export async function leaveTrades(deps: StepDeps, tx: Tx, member: number): Promise<void> {
  await endTradesOf(deps, tx, member)
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

/**
 * Ends the requests for a listing that is gone, or that a member of the trade can no longer see. Throws `trade_conflict` if the
 * state of a promised listing was changed.
 */
export async function endInvalidRequests(
  deps: StepDeps,
  tx: Tx,
  { listing_id, owner_id }: { listing_id: number; owner_id: number },
): Promise<void> {
  const listing = (await listListings(tx, [listing_id])).get(listing_id)
  if (!listing) return
  if (listing.promised_in !== null && listing.state_id !== states.reserved)
    throw new AppError('trade_conflict', tradeMessages.listingPromised)
  if (listing.state_id === states.gone) return endTradesWith(deps, tx, { listing_id, owner_id }, 'requests')
  for (const { trade_id } of await listRequestsUnseen(tx, listing_id))
    await leaveTrade(deps, tx, trade_id, owner_id)
}
