import type { ReactNode } from 'react'
import css from './outdated.module.css'

/** Dims a list that still shows the results of the previous query, until those of the next one are loaded. */
export function Outdated({ isOutdated, children }: { isOutdated: boolean; children: ReactNode }) {
  return (
    <div className={css.list} aria-busy={isOutdated}>
      {children}
    </div>
  )
}
