import { useQuery } from '@tanstack/react-query'
import css from './bell.module.css'
import { BellLink } from './bell-link.tsx'
import { unreadNotificationsQuery } from './notification-queries.ts'

/** In the title row of a phone's main screens; wider screens have it in the bar at their head. */
export function Bell() {
  // The frame around every screen asks; here is only shown what it knows.
  const { data: count = 0 } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  return (
    <span className={css.onPhones}>
      <BellLink count={count} />
    </span>
  )
}
