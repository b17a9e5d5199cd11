import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { matchAllOf, matchBetweenFriends, matchListingWithWants, matchWantWithListings } from './finding.ts'
import {
  dispatchNotifications,
  matchFriends,
  matchListing,
  matchMember,
  matchWant,
  sendMatchMail,
  sendMatchPush,
} from './job-kinds.ts'
import { mailMatches } from './mailing.ts'
import { dispatchDue } from './notification-schedule.ts'
import { pushMatches } from './pushing.ts'

type Needs = Pick<Deps, 'db' | 'events' | 'jobs' | 'mailer' | 'publicUrl' | 'pusher' | 'realtime'>

export function registerMatchJobs(deps: Needs) {
  const { db, jobs } = deps
  jobs.handle(matchListing, (data) => matchListingWithWants(deps, data))
  jobs.handle(matchWant, (data) => inTransaction(db, (tx) => matchWantWithListings(deps, tx, data)))
  jobs.handle(matchFriends, (data) => matchBetweenFriends(deps, data))
  jobs.handle(matchMember, (data) => matchAllOf({ db, jobs }, data))
  jobs.repeat(dispatchNotifications, '* * * * *', () => dispatchDue({ db, jobs }))
  jobs.handle(sendMatchMail, (data, job) => mailMatches(deps, data, job))
  jobs.handle(sendMatchPush, (data) => pushMatches(deps, data))
}
