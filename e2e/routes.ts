type Access = 'all' | 'guests' | 'members'

export interface RouteRow {
  /** A path whose `{neighbor}`, `{theirs}` and `{mine}` stand for the ids of a member and of two listings. */
  readonly route: string
  readonly access: Access
  /** The text that a member waits for. */
  readonly shows?: string
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
  '/notifications/settings',
  '/trades',
  '/trades?state=closed',
  '/matches',
  '/wanted',
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
  '/desk',
  '/desk/closed',
  '/desk/audit-log',
  '/desk/listings',
  '/desk/suspicious',
  '/desk/today',
  '/desk/mail',
  '/desk/health',
  '/desk/site',
  '/desk/members',
  '/desk/members/{neighbor}',
]

/** The other addresses. */
export const routes: readonly RouteRow[] = [
  { route: '/', access: 'all', shows: 'Good things get passed over the fence.' },
  { route: '/register', access: 'guests' },
  { route: '/login', access: 'guests' },
  { route: '/login?next=%2Fprofile', access: 'guests' },
  { route: '/forgot-password', access: 'guests' },
  { route: '/reset-password?token=some', access: 'guests' },
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
  { route: '/listings/7/no-such-page', access: 'all', shows: 'Page Not Found' },
]

/** The ids of another member, of an own listing and of another member's listing. */
export interface RouteIds {
  readonly neighbor: number
  readonly mine: number
  readonly theirs: number
}

/** Returns the address with the ids filled in. */
export function address(route: string, { neighbor, mine, theirs }: RouteIds): string {
  const ids: Record<string, number> = { neighbor, mine, theirs }
  return route.replace(/\{(\w+)\}/, (_, name) => String(ids[name]))
}
