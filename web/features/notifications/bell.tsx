import { useQuery } from '@tanstack/react-query'
import type { IconButtonVariant } from '#web/ui/button-look.ts'
import { classNames } from '#web/ui/class-names.ts'
import css from './bell.module.css'
import { BellLink } from './bell-link.tsx'
import { unreadNotificationsQuery } from './notification-queries.ts'

/** In the title row of a phone's main screens; wider screens have it in the bar at their head. */
export function Bell({ variant }: { variant?: IconButtonVariant }) {
  // The frame around every screen asks; here is only shown what it knows.
  const { data: count = 0 } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  return (
    <span className={classNames(css.onPhones, variant === undefined && css.flush)}>
      <BellLink count={count} {...(variant && { variant })} />
    </span>
  )
}
