import type { Deps } from '#server/deps.ts'
import { listRequested } from './ending-queries.ts'
import {
  endHiddenRequestsBetween,
  endInvalidRequests,
  endTradesBetween,
  endTradesOf,
  endTradesWithListing,
  leaveTrades,
} from './endings.ts'
import { endRequestsJob, findRingsJob } from './job-kinds.ts'
import { listOpenMatches, listOpenMatchesOfListing } from './rings-queries.ts'

/** The maximum number of matches, found at the same time, that start a search for rings. */
const maxMatches = 50

/** The fields of a listing that can open it to rings. */
const ringFields = ['type_id', 'state_id', 'is_public', 'is_active', 'open_to_rings']

export function tradeSubscribers({ events, jobs }: Pick<Deps, 'events' | 'jobs'>) {
  const effects = { events, jobs }
  events.subscribe('member_deleted', (tx, { user_id }) => leaveTrades(effects, tx, user_id))
  events.subscribe('member_suspended', (tx, { user_id }) => endTradesOf(effects, tx, user_id))
  events.subscribe('members_blocked', (tx, block) => endTradesBetween(effects, tx, block))
  events.subscribe('friendship_ended', (tx, friendship) => endHiddenRequestsBetween(effects, tx, friendship))
  events.subscribe('listing_changed', (tx, listing) => endInvalidRequests(effects, tx, listing))
  events.subscribe('listing_changed', async (tx, { listing_id, changed }) => {
    if (changed.some((field) => ringFields.includes(field)))
      await jobs.addAll(tx, findRingsJob, await listOpenMatchesOfListing(tx, listing_id, maxMatches))
  })
  events.subscribe('matches_found', async (tx, { matches }) => {
    await jobs.addAll(tx, findRingsJob, await listOpenMatches(tx, matches, maxMatches))
  })
  events.subscribe('listing_hidden', (tx, listing) => endTradesWithListing(effects, tx, listing))
  events.subscribe('listings_ended', async (tx, { listings }) => {
    const ids = listings.map(({ listing_id }) => listing_id)
    await jobs.addAll(tx, endRequestsJob, await listRequested(tx, ids))
  })
  events.subscribe('listing_deleted', (tx, listing) => endTradesWithListing(effects, tx, listing))
}
