import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAnnounced } from './announcements.ts'
import css from './banner.module.css'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Row } from './layout.tsx'

type BannerProps = {
  kind: 'error' | 'notice' | 'success'
  onDismiss?: () => void
  /** A button below the text. */
  action?: ReactNode
  children: ReactNode
}

/** A message above the form or list that it is about. Line breaks in its text are kept. Errors and successes are announced. */
export function Banner({ kind, onDismiss, action, children }: BannerProps) {
  const text = useRef<HTMLSpanElement>(null)
  const [success, setSuccess] = useState<string>()
  useEffect(() => setSuccess(kind === 'success' ? text.current?.textContent : undefined))
  // Screen readers often miss a status that appears with its text, unlike an alert.
  useAnnounced(success)
  return (
    <Row
      align="start"
      className={classNames(css.banner, css[kind])}
      role={kind === 'error' ? 'alert' : undefined}
    >
      <Icon name={kind === 'success' ? 'check' : 'warn'} size={20} />
      <div className={css.text}>
        <span ref={text}>{children}</span>
        {action}
      </div>
      {onDismiss !== undefined && (
        <IconButton label={t`Dismiss`} className={css.dismiss} onClick={onDismiss}>
          <Icon name="close" size={20} />
        </IconButton>
      )}
    </Row>
  )
}
