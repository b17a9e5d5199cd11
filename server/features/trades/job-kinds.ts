import { jobKind } from '#server/platform/jobs.ts'

/** Publishes a changed trade to the parties' sockets. */
export const publishTrade = jobKind<{ trade_id: number }>('publish-trade')

/** Ends the unanswered requests for a listing that has ended. */
export const endRequestsJob = jobKind<{ listing_id: number }>('end-requests')

/** Deletes the places of old pickups. */
export const deletePlaces = jobKind<Record<never, never>>('delete-pickup-places')

/** Lapses trades and reminds members of trades and pickups. */
export const advanceTrades = jobKind<Record<never, never>>('advance-trades')
