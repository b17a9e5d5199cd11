import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/tables.ts'
import { eraseHidden, listRequested } from './ending-queries.ts'
import {
  endHiddenRequestsBetween,
  endInvalidRequests,
  endTradesBetween,
  endTradesOf,
  leaveTrades,
} from './endings.ts'
import { endRequestsJob, findRingsJob } from './job-kinds.ts'
import { listOpenMatches, listOpenMatchesOfGiver, listOpenMatchesOfListing } from './rings-queries.ts'
import { endTradesWith, type StepDeps } from './trades.ts'

/** The maximum number of matches of one event that start a search for rings. */
const maxMatches = 50

/** The fields of a listing that can open it to rings. */
const ringFields = ['type_id', 'state_id', 'is_public', 'is_active', 'open_to_rings', 'expires_at']

export function tradeSubscribers(deps: StepDeps) {
  const { events, jobs } = deps
  events.subscribe('member_deleted', (tx, { user_id }) => leaveTrades(deps, tx, user_id))
  events.subscribe('member_suspended', (tx, { user_id }) => endTradesOf(deps, tx, user_id))
  events.subscribe('members_blocked', (tx, block) => endTradesBetween(deps, tx, block))
  events.subscribe('friendship_ended', (tx, friendship) => endHiddenRequestsBetween(deps, tx, friendship))
  events.subscribe('listing_changed', (tx, listing) => endInvalidRequests(deps, tx, listing))
  events.subscribe('listing_hidden', (tx, listing) => endTradesWith(deps, tx, listing, 'all'))
  events.subscribe('listings_ended', async (tx, { listings }) => {
    const ids = listings.map(({ listing_id }) => listing_id)
    await jobs.addAll(tx, endRequestsJob, await listRequested(tx, ids))
  })
  events.subscribe('listing_deleted', async (tx, listing) => {
    await endTradesWith(deps, tx, listing, 'all')
    await eraseHidden(tx, listing.listing_id)
  })
  ringSubscribers({ events, jobs })
}

/** Searches for rings when one of their conditions begins to hold. When one ends, `suggestedRings` leaves the ring out. */
function ringSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  const searchOfListing = async (tx: Tx, listing_id: number) =>
    jobs.addAll(tx, findRingsJob, await listOpenMatchesOfListing(tx, listing_id, maxMatches))
  // A member gives one listing in each of their rings.
  const searchOfMember = async (tx: Tx, user_id: number) =>
    jobs.addAll(tx, findRingsJob, await listOpenMatchesOfGiver(tx, user_id, maxMatches))

  events.subscribe('matches_found', async (tx, { matches }) => {
    await jobs.addAll(tx, findRingsJob, await listOpenMatches(tx, matches, maxMatches))
  })
  events.subscribe('listing_changed', async (tx, { listing_id, changed }) => {
    if (changed.some((field) => ringFields.includes(field))) await searchOfListing(tx, listing_id)
  })
  events.subscribe('listing_shown', (tx, { listing_id }) => searchOfListing(tx, listing_id))
  events.subscribe('member_unsuspended', (tx, { user_id }) => searchOfMember(tx, user_id))
  events.subscribe('members_unblocked', (tx, { blocker_id }) => searchOfMember(tx, blocker_id))
  events.subscribe('member_moved', (tx, { user_id }) => searchOfMember(tx, user_id))
  events.subscribe('preferences_changed', async (tx, { user_id, changed }) => {
    if (changed.includes('match_radius')) await searchOfMember(tx, user_id)
  })
}
