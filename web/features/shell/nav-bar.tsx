import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { linkOptions } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { useQueryState } from '#web/api/use-query-state.ts'
import wordmark from '#web/art/logo/wordmark.svg'
import wordmarkOnDark from '#web/art/logo/wordmark-on-dark.svg'
import { listingKey } from '#web/features/listings/listing-key.ts'
import { BellLink } from '#web/features/page-head/bell-link.tsx'
import { textOf } from '#web/i18n/i18n.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import { NavLink } from '#web/ui/nav-link.tsx'
import { SiteName, useHomeLabel } from '#web/ui/site-name.tsx'
import { ThemeImage } from '#web/ui/theme-image.tsx'
import { usePendingLocation } from '#web/ui/use-pending-location.ts'
import css from './nav-bar.module.css'

/** The entries of the navigation. A screen belongs to the first entry whose `paths` match. */
const entries = [
  {
    link: linkOptions({ to: '/my-listings' }),
    icon: 'nav-listing',
    name: 'my-listings',
    text: msg`my listing`,
    paths: /^\/(my-listings|post-want|matches|match-noti|trades|listings\/(new|\d+\/edit))\b/,
  },
  {
    link: linkOptions({ to: '/listings' }),
    icon: 'nav-market',
    name: 'market',
    text: msg`marketplace`,
    paths: /^\/(listings|wanted|seller|filter-page|have-want-search|friend-search)\b/,
  },
  {
    link: linkOptions({ to: '/messages' }),
    icon: 'nav-message',
    name: 'messages',
    text: msg`message`,
    paths: /^\/messages\b/,
  },
  {
    link: linkOptions({ to: '/profile' }),
    icon: 'nav-profile',
    name: 'profile',
    text: msg`profile`,
    paths: /^\/(profile|myfriends|friend-invi)\b/,
  },
] as const satisfies {
  link: object
  icon: IconName
  name: string
  text: MessageDescriptor
  paths: RegExp
}[]

export type Unread = { message?: number; notifications?: number }

/** The navigation: a bar at the bottom of a phone's screen, and at the top of wider windows with the wordmark. */
export function NavBar({ unread = {} }: { unread?: Unread }) {
  const entryOfPath = usePendingLocation(
    ({ pathname }) => entries.find(({ paths }) => paths.test(pathname))?.name,
  )
  const home = useHomeLabel()
  const current = useIsOwnListing() ? 'my-listings' : entryOfPath
  return (
    <header className={css.bar}>
      <div className={css.inner}>
        <a className={css.logo} href="/" aria-label={home}>
          <SiteName
            drawn={<ThemeImage light={wordmark} dark={wordmarkOnDark} alt="" width="190" height="40" />}
          />
        </a>
        <nav aria-label={t`Main`}>
          <ul>
            {entries.map(({ link, icon, name, text }) => (
              <li key={name}>
                <NavLink {...link} current={name === current}>
                  <span className={css.icon}>
                    <Icon name={icon} />
                    {name === 'messages' && <Badge count={unread.message ?? 0} className={css.badge} />}
                  </span>
                  <span className={css.label} data-text={textOf(text)}>
                    {textOf(text)}
                  </span>
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

/** Returns whether the address is of an own listing that is in the cache. */
function useIsOwnListing(): boolean {
  const me = useStoredLogin()?.user.id
  const id = usePendingLocation(({ pathname }) => /^\/listings\/(\d+)$/.exec(pathname)?.[1]) ?? ''
  const listing = useQueryState<Listing>(listingKey(id))?.data
  return me !== undefined && listing?.owner_id === me
}
