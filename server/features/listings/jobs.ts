import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { endListings, readyListings } from './expiry.ts'
import { reindexListings } from './indexing.ts'
import { refreshSearchTerms } from './search-queries.ts'

export const reindexJob = jobKind<Record<never, never>>('reindex-listings')
export const endExpiredListings = jobKind<Record<never, never>>('end-listings')
export const readyListingsJob = jobKind<Record<never, never>>('ready-listings')
const refreshTermsJob = jobKind<Record<never, never>>('refresh-search-terms')

export function registerListingJobs({ db, events, jobs }: Pick<Deps, 'db' | 'events' | 'jobs'>) {
  jobs.repeat(reindexJob, '* * * * *', async () => {
    if (await reindexListings(db)) await inTransaction(db, (tx) => jobs.add(tx, refreshTermsJob, {}))
  })
  jobs.repeat(readyListingsJob, '* * * * *', () => readyListings({ db, events }))
  jobs.repeat(endExpiredListings, '* * * * *', () => endListings({ db, events }))
  jobs.repeat(refreshTermsJob, '43 * * * *', () => refreshSearchTerms(db))
}
