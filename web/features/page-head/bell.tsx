import { useQuery } from '@tanstack/react-query'
import type { IconButtonVariant } from '#web/ui/button-class.ts'
import { classNames } from '#web/ui/class-names.ts'
import css from './bell.module.css'
import { BellLink } from './bell-link.tsx'
import { unreadNotificationsQuery } from './unread-notifications.ts'

/** The bell in the title row on phones. Wider windows have it in the navigation bar. */
export function Bell({ variant }: { variant?: IconButtonVariant }) {
  // The app shell fetches the count. This reads the cache only.
  const { data: count = 0 } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  return (
    <span className={classNames(css.onPhones, variant === undefined && css.flush)}>
      <BellLink count={count} {...(variant && { variant })} />
    </span>
  )
}
