import { addressOf, type FirstCalls } from './address.ts'
import { limits } from './constants.ts'
import { getListing, listListings } from './listings.ts'
import { countWanters } from './matches.ts'
import { getPublicMember } from './members.ts'
import { countUnreadMessages, listMessages } from './messages.ts'
import { countUnreadNotifications } from './notifications.ts'

const id = 0

/** What the frame around every screen of a member asks. */
const frame = [addressOf(countUnreadMessages, {}), addressOf(countUnreadNotifications, {})]

/**
 * What a screen asks before all else, by its path: the page brings the answers, or asks before the app is there. What shows a
 * picture comes first. `e2e/first-visit.spec.ts` holds these calls to those of the screens.
 */
export const firstCalls: readonly FirstCalls[] = [
  { path: '/listings', calls: [addressOf(listListings, { query: { public: 'true' } }), ...frame] },
  { path: '/listings/0', calls: [addressOf(getListing, { params: { id } }), ...frame] },
  {
    path: '/messages/0',
    calls: [
      addressOf(getPublicMember, { params: { id } }),
      addressOf(listMessages, { params: { id }, query: { limit: limits.messages } }),
      ...frame,
    ],
  },
  {
    path: '/my-listings',
    calls: [
      addressOf(listListings, { query: { mine: 'true', limit: limits.page.max } }),
      addressOf(countWanters, { query: { limit: limits.page.max } }),
      ...frame,
    ],
  },
]
