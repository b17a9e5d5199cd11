import type { ReactNode } from 'react'
import css from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The shape of a grid of cards to come. Appears after 200 ms, so that what comes fast never flickers. */
export function CardsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Skeleton className={css.cards}>
      {places(count).map((place) => (
        <div key={place}>
          <div className={css.square} />
          <div className={css.title} />
          <div className={css.byline} />
        </div>
      ))}
    </Skeleton>
  )
}

/** The shape of a list of rows to come. */
export function RowsSkeleton({ count = 4 }: { count?: number }) {
  return (
    <Skeleton className={css.rows}>
      {places(count).map((place) => (
        <div key={place}>
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
    <div role="status" className={css.skeleton} data-coming>
      <VisuallyHidden>Loading...</VisuallyHidden>
      <div className={className} aria-hidden="true">
        {children}
      </div>
    </div>
  )
}

function places(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place)
}
