import { t } from '@lingui/core/macro'
import { Badge } from '#web/ui/badge.tsx'
import { IconLink } from '#web/ui/button.tsx'
import type { IconButtonVariant } from '#web/ui/button-class.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './bell.module.css'

/** A link to the notifications with the unread count. */
export function BellLink({ count, variant = 'plain' }: { count: number; variant?: IconButtonVariant }) {
  return (
    <IconLink label={t`Notifications`} to="/notifications" variant={variant} className={css.bell}>
      <Icon name="bell" />
      <Badge count={count} className={css.badge} />
    </IconLink>
  )
}
