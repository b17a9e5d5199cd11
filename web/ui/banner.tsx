import type { ReactNode } from 'react'
import css from './banner.module.css'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type BannerProps = { kind: 'error' | 'success'; onDismiss?: () => void; children: ReactNode }

/** Stands above the form it speaks of. Line breaks in its text are kept. */
export function Banner({ kind, onDismiss, children }: BannerProps) {
  return (
    <div className={classNames(css.banner, css[kind])} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={kind === 'error' ? 'warn' : 'check'} size={20} />
      <span className={css.text}>{children}</span>
      {onDismiss !== undefined && (
        <IconButton label="Dismiss" className={css.dismiss} onClick={onDismiss}>
          <Icon name="close" size={20} />
        </IconButton>
      )}
    </div>
  )
}
