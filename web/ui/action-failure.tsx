import type { ReactNode } from 'react'
import text from '#web/styles/text.module.css'
import { classNames } from './class-names.ts'

type ActionFailureProps = { className?: string | undefined; children: ReactNode }

/** The error of an action beside its button. It is always in the page, because it is a live region. */
export function ActionFailure({ className, children }: ActionFailureProps) {
  return (
    <p className={classNames(text.failure, className)} role="status">
      {children}
    </p>
  )
}
