import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { reindexListings } from './indexing.ts'
import { refreshSearchTerms } from './search-queries.ts'

const reindex = jobKind<Record<never, never>>('reindex-listings')
const refreshTerms = jobKind<Record<never, never>>('refresh-search-terms')

export function listingJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(reindex, '* * * * *', () => reindexListings(db))
  jobs.repeat(refreshTerms, '43 * * * *', () => refreshSearchTerms(db))
}
