import type { ReactNode } from 'react'
import text from '#web/styles/text.module.css'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/layout.tsx'
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
    <Row as="p" className={classNames(text.body2, text.muted, css.location, className)}>
      <Icon name="pin" size={16} />
      <span>{children}</span>
    </Row>
  )
}
