import { jobKind } from '#server/platform/jobs.ts'

/** Matches a listing with wants whose id is above `after`; with `only`, with one member's. `user_id` is the owner. */
export const matchListing = jobKind<{ user_id: number; listing_id: number; after?: number; only?: number }>(
  'match-listing',
)

/** Matches a want with listings whose id is below `before`. `found` counts over all steps. `quiet` sends no mail and no push. */
export const matchWant = jobKind<{
  user_id: number
  want_id: number
  before?: number
  steps?: number
  found?: number
  newest?: number
  quiet?: true
}>('match-want')

/** Matches the friends-only listings and the wants of two new friends. */
export const matchFriends = jobKind<{ user_id: number; friend_id: number }>('match-friends')

/** Matches everything of a member whose location or radius changed. */
export const matchMember = jobKind<{ user_id: number }>('match-member')
