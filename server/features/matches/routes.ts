import {
  countInterested,
  countInterestedIn,
  countTold,
  dismissMatch,
  listInterested,
  listMatches,
  previewMatchMail,
  restoreMatch,
} from '#contract/matches.ts'
import type { Deps } from '#server/deps.ts'
import { ownListing } from '#server/features/listings/access.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { showMail } from './mail-preview.ts'
import {
  countMembersWanting,
  countToldMembers,
  dismiss,
  pageOfInterested,
  pageOfInterestedCounts,
  pageOfMatches,
  restore,
} from './matches.ts'

/** Allows a request for each change of a title while typing. */
const interestedRate = { burst: 20, perSecond: 1 }

export function matchRoutes(app: App, { db, events, mailer, tokenBuckets, translatorFor }: Deps) {
  const takeToken = tokenBuckets<number>(interestedRate)
  route(app, listMatches, ({ member, query }) => pageOfMatches(db, member.id, query))
  route(app, dismissMatch, ({ member, params }) => dismiss({ db, events }, member.id, params))
  route(app, restoreMatch, ({ member, params }) => restore({ db, events }, member.id, params))
  route(app, listInterested, async ({ member, params, query }) =>
    pageOfInterested(db, await ownListing(db, member.id, params.id, 'ask'), query),
  )
  route(app, countInterested, ({ member, query }) => pageOfInterestedCounts(db, member.id, query))
  route(app, countTold, async ({ member, params }) =>
    countToldMembers(db, await ownListing(db, member.id, params.id, 'ask')),
  )
  route(app, countInterestedIn, ({ member, body }) => countMembersWanting({ db, takeToken }, member.id, body))
  route(app, previewMatchMail, ({ member }) => showMail({ db, mailer, translatorFor }, member.id))
}
