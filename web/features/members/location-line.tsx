import type { ReactNode } from 'react'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './location-line.module.css'

/** A line with a pin and a member's location. */
export function LocationLine({
  className,
  children,
}: {
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <p className={classNames(layout.row, text.body2, text.muted, css.location, className)}>
      <Icon name="pin" size={16} />
      {children}
    </p>
  )
}
