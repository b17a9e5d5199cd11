import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import css from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The skeleton of a grid of cards. Appears after 200 ms, so that fast responses do not flicker. */
export function CardsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Skeleton className={css.cards}>
      {range(count).map((index) => (
        <div key={index}>
          <div className={css.square} />
          <div className={css.title} />
          <div className={css.byline} />
        </div>
      ))}
    </Skeleton>
  )
}

/** The skeleton of a list of rows. */
export function RowsSkeleton({ count = 4 }: { count?: number }) {
  return (
    <Skeleton className={css.rows}>
      {range(count).map((index) => (
        <div key={index}>
          <div className={css.thumb} />
          <div className={css.line} />
          <div className={css.end} />
        </div>
      ))}
    </Skeleton>
  )
}

function Skeleton({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    <div role="status" className={css.skeleton} data-skeleton>
      <VisuallyHidden>{t`Loading...`}</VisuallyHidden>
      <div className={className} aria-hidden="true">
        {children}
      </div>
    </div>
  )
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
