import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './error-note.module.css'
import { Icon } from './icon.tsx'
import { Row } from './layout.tsx'

type ErrorNoteProps = {
  /** For `aria-describedby` of the control. */
  id?: string | undefined
  /** An alert is read out when it appears. */
  role?: 'alert' | undefined
  className?: string | undefined
  children: ReactNode
}

/** An error message at its control. */
export function ErrorNote({ id, role, className, children }: ErrorNoteProps) {
  return (
    <Row as="p" gap="1" align="start" id={id} role={role} className={classNames(css.error, className)}>
      <Icon name="warn" size={16} />
      <span>{children}</span>
    </Row>
  )
}
