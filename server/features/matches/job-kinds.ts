import { jobKind } from '#server/platform/jobs.ts'

/** Looks who wants a listing, from above a want on; among all, or of one member alone. `user_id` is the owner. */
export const matchListing = jobKind<{ user_id: number; listing_id: number; after?: number; only?: number }>(
  'match-listing',
)

/** Looks what fits a want, from below a listing on. What was found before counts on. `quiet` is told in the app alone. */
export const matchWant = jobKind<{
  user_id: number
  want_id: number
  before?: number
  steps?: number
  found?: number
  newest?: number
  quiet?: true
}>('match-want')

/** What only friends may see is new to both when two become friends. */
export const matchFriends = jobKind<{ user_id: number; friend_id: number }>('match-friends')

/** Everything of a member who has moved, or looks further than before. */
export const matchMember = jobKind<{ user_id: number }>('match-member')

/** Has those told by mail or push for whom the time has come. */
export const dispatchNotifications = jobKind<Record<never, never>>('tell-matches')
/** A mail server keeps one waiting: several at once, as many as the mailer has connections. */
export const matchMail = jobKind<{ user_id: number }>('match-mail', { concurrency: 3 })
export const matchPush = jobKind<{ user_id: number }>('match-push')
