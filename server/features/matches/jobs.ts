import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { matchAllOf, matchBetweenFriends, matchListingWithWants, matchWantWithListings } from './finding.ts'
import { matchFriends, matchListing, matchMember, matchWant } from './job-kinds.ts'

type Needs = Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime'>

export function registerMatchJobs(deps: Needs) {
  const { db, jobs } = deps
  jobs.handle(matchListing, (data) => matchListingWithWants(deps, data))
  jobs.handle(matchWant, (data) => inTransaction(db, (tx) => matchWantWithListings(deps, tx, data)))
  jobs.handle(matchFriends, (data) => matchBetweenFriends(deps, data))
  jobs.handle(matchMember, (data) => matchAllOf({ db, jobs }, data))
}
