import { t } from '@lingui/core/macro'
import css from './badge.module.css'
import { classNames } from './class-names.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

type BadgeProps = {
  count: number
  /** Positions it over an icon. */
  className?: string | undefined
}

/** Shows the unread count over an icon: nothing at 0, '99+' above 99. */
export function Badge({ count, className }: BadgeProps) {
  if (count <= 0) return null
  return (
    <>
      <span className={classNames(css.badge, className)} aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
      <VisuallyHidden>{t`${count} unread`}</VisuallyHidden>
    </>
  )
}
