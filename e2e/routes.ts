import type { ScreenContext } from './words.ts'

type Access = 'all' | 'guests' | 'members'

export interface RouteRow {
  /** Names whose id stands there: a neighbor, a listing of theirs, or one of one’s own. */
  readonly route: string
  readonly access: Access
  /** The text to wait for. */
  readonly shows: string
  /** An old address leads on. */
  readonly leadsTo?: string
}

/** The table of routes of the specification, and the addresses that have come since. */
export const routes: readonly RouteRow[] = [
  { route: '/', access: 'all', shows: 'Good things get passed over the fence.' },
  { route: '/register', access: 'guests', shows: 'Confirm password' },
  { route: '/login', access: 'guests', shows: 'forgot your password?' },
  { route: '/login?next=%2Fprofile', access: 'guests', shows: 'forgot your password?' },
  { route: '/forgot-password', access: 'guests', shows: 'Remembered your password?' },
  { route: '/reset-password?token=some', access: 'guests', shows: 'Confirm new password' },
  { route: '/seller/{neighbor}', access: 'members', shows: 'Location not specified' },
  { route: '/listings', access: 'members', shows: 'marketplace' },
  { route: '/listings?category=seeds', access: 'members', shows: 'marketplace' },
  { route: '/listings/new', access: 'members', shows: 'new listing' },
  { route: '/listings/{theirs}', access: 'members', shows: 'Rhubarb crowns' },
  { route: '/listings/{mine}/edit', access: 'members', shows: 'edit listing' },
  {
    route: '/editlisting/{mine}',
    access: 'members',
    shows: 'edit listing',
    leadsTo: '/listings/{mine}/edit',
  },
  { route: '/my-listings', access: 'members', shows: 'my lists' },
  { route: '/my-listings?tab=want', access: 'members', shows: 'No items in wishlist.' },
  {
    route: '/my-listings/{theirs}',
    access: 'members',
    shows: 'Rhubarb crowns',
    leadsTo: '/listings/{theirs}',
  },
  { route: '/my-listings-old', access: 'members', shows: 'my lists', leadsTo: '/my-listings' },
  {
    route: '/my-friend-listing',
    access: 'members',
    shows: 'marketplace',
    leadsTo: '/listings?tab=friends',
  },
  { route: '/messages', access: 'members', shows: 'messages' },
  { route: '/messages/{neighbor}', access: 'members', shows: 'Type a message…' },
  { route: '/notifications', access: 'members', shows: 'notifications' },
  { route: '/matches', access: 'members', shows: 'matches' },
  { route: '/profile', access: 'members', shows: 'my profile' },
  { route: '/old-profile', access: 'members', shows: 'my profile', leadsTo: '/profile' },
  { route: '/profile/edit', access: 'members', shows: 'edit my profile' },
  { route: '/myfriends', access: 'members', shows: 'my friends' },
  { route: '/post-want', access: 'members', shows: 'wish list' },
  { route: '/filter-page', access: 'members', shows: 'filter' },
  { route: '/personal-info', access: 'members', shows: 'Next >' },
  { route: '/invite-your-friends', access: 'members', shows: 'invite your friends' },
  { route: '/have-want-search', access: 'members', shows: 'search' },
  { route: '/friend-search', access: 'members', shows: 'search' },
  { route: '/match-noti', access: 'members', shows: 'match notification' },
  { route: '/friend-invi', access: 'members', shows: 'friend invitation' },
  { route: '/not-found', access: 'all', shows: 'Page Not Found' },
  { route: '/any/other', access: 'all', shows: 'Page Not Found' },
]

/** The address with the ids of those who are met. */
export function address(
  route: string,
  { neighbor, mine, theirs }: Omit<ScreenContext, 'page' | 'me'>,
): string {
  const ids: Record<string, number> = { neighbor: neighbor.id, mine, theirs }
  return route.replace(/\{(\w+)\}/, (_, name) => String(ids[name]))
}
