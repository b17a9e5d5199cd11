import { linkOptions } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { useQueryState } from '#web/api/use-query-state.ts'
import wordmark from '#web/art/logo/wordmark.svg'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { listingKey } from '#web/features/listings/listing-key.ts'
import { BellLink } from '#web/features/notifications/bell-link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import { NavLink } from '#web/ui/nav-link.tsx'
import css from './nav-bar.module.css'
import { useWanted } from './use-wanted.ts'

/** In the order shown. A screen belongs to the first place that covers its path: posting is done from one's lists. */
const places = [
  {
    link: linkOptions({ to: '/my-listings' }),
    icon: 'nav-listing',
    text: 'my listing',
    paths: /^\/(my-listings|post-want|matches|match-noti|listings\/(new|\d+\/edit))\b/,
  },
  {
    link: linkOptions({ to: '/listings' }),
    icon: 'nav-market',
    text: 'marketplace',
    paths: /^\/(listings|seller|filter-page|have-want-search|friend-search)\b/,
  },
  {
    link: linkOptions({ to: '/messages' }),
    icon: 'nav-message',
    text: 'message',
    paths: /^\/messages\b/,
  },
  {
    link: linkOptions({ to: '/profile' }),
    icon: 'nav-profile',
    text: 'profile',
    paths: /^\/(profile|myfriends|friend-invi)\b/,
  },
] as const satisfies { link: object; icon: IconName; text: string; paths: RegExp }[]

export type Unread = { message?: number; notifications?: number }

/** Phones: a bar at the foot of the screen. Wider: one at its head, with the wordmark. */
export function NavBar({ unread = {} }: { unread?: Unread }) {
  const byPath = useWanted(({ pathname }) => places.find(({ paths }) => paths.test(pathname))?.text)
  const here = useIsOwnListing() ? 'my listing' : byPath
  return (
    <header className={css.bar}>
      <div className={css.inner}>
        <a className={css.logo} href="/">
          <img src={wordmark} alt="Rhubarb, home" width="190" height="40" />
        </a>
        <nav aria-label="Main">
          <ul>
            {places.map(({ link, icon, text }) => (
              <li key={text}>
                <NavLink {...link} current={text === here}>
                  <span className={css.icon}>
                    <Icon name={icon} />
                    {text === 'message' && <Badge count={unread.message ?? 0} />}
                  </span>
                  {text}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={css.bell}>
          <BellLink count={unread.notifications ?? 0} />
        </div>
      </div>
    </header>
  )
}

/** Whether the address is that of one of the member's own listings, as far as it is loaded. */
function useIsOwnListing(): boolean {
  const me = useStoredLogin()?.user.id
  const id = useWanted(({ pathname }) => /^\/listings\/(\d+)$/.exec(pathname)?.[1]) ?? ''
  const listing = useQueryState<Listing>(listingKey(id))?.data
  return me !== undefined && listing?.owner_id === me
}
