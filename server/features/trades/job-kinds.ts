import { jobKind } from '#server/platform/jobs.ts'

/** Publishes a changed trade to the parties' sockets. */
export const publishTrade = jobKind<{ trade_id: number }>('publish-trade')

/** Ends the unanswered requests for a listing that has ended. */
export const endRequestsJob = jobKind<{ listing_id: number }>('end-requests')

/** Finds the rings that a new match completes. */
export const findRingsJob = jobKind<{ want_id: number; listing_id: number }>('find-rings')

/** Deletes old suggestions of rings, and those that are not valid any more. */
export const cleanUpRings = jobKind<Record<never, never>>('clean-up-rings')
/** Deletes those of the next rings after an id that are not valid any more. */
export const checkRings = jobKind<{ after: number }>('check-rings')

/** Lapses trades and reminds members of trades and pickups. */
export const advanceTrades = jobKind<Record<never, never>>('advance-trades')
