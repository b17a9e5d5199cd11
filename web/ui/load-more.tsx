import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import css from './load-more.module.css'

type LoadMoreProps = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
  failure: string
  /** What the button says. */
  more?: string
}

/** Ends a list that goes on: the next page comes when the reader comes near, or at a press. */
export function LoadMore({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  fetchNextPage,
  failure,
  more = 'More',
}: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const waits = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const comeNear = useEffectEvent(fetchNextPage)

  useEffect(() => {
    if (!waits || end.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) comeNear()
      },
      { rootMargin: '600px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [waits])

  if (!hasNextPage) return null
  return (
    <div ref={end} className={css.more}>
      {isFetchNextPageError ? (
        <ErrorState text={failure} onRetry={() => fetchNextPage()} />
      ) : (
        <Button variant="secondary" busy={isFetchingNextPage && 'Loading...'} onClick={() => fetchNextPage()}>
          {more}
        </Button>
      )}
    </div>
  )
}
