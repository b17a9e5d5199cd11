import { Link, linkOptions } from '@tanstack/react-router'
import wordmark from '#web/art/logo/wordmark.svg'
import { Badge } from '#web/ui/badge.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import css from './nav-bar.module.css'

const places = [
  { link: linkOptions({ to: '/my-listings' }), icon: 'nav-listing', text: 'my listing' },
  { link: linkOptions({ to: '/listings' }), icon: 'nav-market', text: 'marketplace' },
  { link: linkOptions({ to: '/profile' }), icon: 'nav-profile', text: 'profile' },
] as const satisfies { link: object; icon: IconName; text: string }[]

export type Unread = Partial<Record<(typeof places)[number]['text'], number>>

/** Phones: a bar at the foot of the screen. Wider: one at its head, with the wordmark. */
export function NavBar({ unread = {} }: { unread?: Unread }) {
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
                <Link {...link}>
                  <span className={css.icon}>
                    <Icon name={icon} />
                    <Badge count={unread[text] ?? 0} />
                  </span>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  )
}
