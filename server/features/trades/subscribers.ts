import { eraseHidden, listRequested } from './ending-queries.ts'
import {
  endHiddenRequestsBetween,
  endInvalidRequests,
  endTradesBetween,
  endTradesOf,
  leaveTrades,
} from './endings.ts'
import { endRequestsJob } from './job-kinds.ts'
import { endTradesWith, type StepDeps } from './trades.ts'

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
}
