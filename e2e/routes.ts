import type { ScreenContext } from './words.ts'

type Access = 'all' | 'guests' | 'members'

export interface RouteRow {
  /** A path whose `{neighbor}`, `{theirs}` and `{mine}` stand for the ids of a member and of two listings. */
  readonly route: string
  readonly access: Access
  /** The text to wait for. */
  readonly shows: string
  /** The new address of an old one. */
  readonly leadsTo?: string
}

/** The addresses for members in the specification's table of routes, and later ones. `screens.ts` has their texts. */
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
  '/trades',
  '/trades?state=closed',
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

/** Returns the address with the ids filled in. */
export function address(
  route: string,
  { neighbor, mine, theirs }: Omit<ScreenContext, 'page' | 'me'>,
): string {
  const ids: Record<string, number> = { neighbor: neighbor.id, mine, theirs }
  return route.replace(/\{(\w+)\}/, (_, name) => String(ids[name]))
}
