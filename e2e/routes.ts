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

/** The addresses for members of the specification's table of routes, and those that have come since. `screens.ts` says what stands there. */
export const memberRoutes: readonly string[] = [
  '/seller/{neighbor}',
  '/listings',
  '/listings?category=seeds',
  '/listings/new',
  '/listings/{theirs}',
  '/listings/{mine}/edit',
  '/my-listings',
  '/my-listings?tab=want',
  '/messages',
  '/messages/{neighbor}',
  '/notifications',
  '/matches',
  '/profile',
  '/profile/edit',
  '/myfriends',
  '/post-want',
  '/filter-page',
  '/personal-info',
  '/invite-your-friends',
  '/have-want-search',
  '/friend-search',
  '/match-noti',
  '/friend-invi',
]

/** The other addresses. */
export const routes: readonly RouteRow[] = [
  { route: '/', access: 'all', shows: 'Good things get passed over the fence.' },
  { route: '/register', access: 'guests', shows: 'Confirm password' },
  { route: '/login', access: 'guests', shows: 'forgot your password?' },
  { route: '/login?next=%2Fprofile', access: 'guests', shows: 'forgot your password?' },
  { route: '/forgot-password', access: 'guests', shows: 'Remembered your password?' },
  { route: '/reset-password?token=some', access: 'guests', shows: 'Confirm new password' },
  {
    route: '/editlisting/{mine}',
    access: 'members',
    shows: 'edit listing',
    leadsTo: '/listings/{mine}/edit',
  },
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
  { route: '/old-profile', access: 'members', shows: 'my profile', leadsTo: '/profile' },
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
