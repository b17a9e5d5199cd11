import type { ReactNode } from 'react'
import css from './banner.module.css'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type BannerProps = { kind: 'error' | 'notice' | 'success'; onDismiss?: () => void; children: ReactNode }

const roles = { error: 'alert', notice: undefined, success: 'status' } as const

/** A message above the form or list that it is about. Line breaks in its text are kept. */
export function Banner({ kind, onDismiss, children }: BannerProps) {
  return (
    <div className={classNames(css.banner, css[kind])} role={roles[kind]}>
      <Icon name={kind === 'success' ? 'check' : 'warn'} size={20} />
      <span className={css.text}>{children}</span>
      {onDismiss !== undefined && (
        <IconButton label="Dismiss" className={css.dismiss} onClick={onDismiss}>
          <Icon name="close" size={20} />
        </IconButton>
      )}
    </div>
  )
}
