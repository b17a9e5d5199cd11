import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import css from './load-more.module.css'

type LoadMoreProps = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
  failure: string
  /** All items that are loaded. */
  items: readonly unknown[] | undefined
  isPlaceholderData: boolean
  /** The noun of the list's items, such as 'listings', for the button and the announcement. */
  of?: string | undefined
}

/** Follows a list and loads its next page when it is scrolled near the viewport, or at a press. */
export function LoadMore({
  hasNextPage,
  isFetchingNextPage,
  isFetchNextPageError,
  fetchNextPage,
  failure,
  items,
  isPlaceholderData,
  of,
}: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const load = useEffectEvent(fetchNextPage)

  useEffect(() => {
    if (!canLoad || end.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load()
      },
      { rootMargin: '600px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [canLoad])

  const focusHandlers = useFocusOnNewItem(end)
  useAnnouncedCount(isPlaceholderData ? undefined : items?.length, of, hasNextPage)

  if (!hasNextPage) return null
  return (
    <div ref={end} className={css.more} {...focusHandlers}>
      {isFetchNextPageError ? (
        <ErrorState text={failure} onRetry={() => fetchNextPage()} />
      ) : (
        <Button variant="secondary" busy={isFetchingNextPage && 'Loading...'} onClick={() => fetchNextPage()}>
          {of === undefined ? 'More' : `More ${of}`}
        </Button>
      )}
    </div>
  )
}

/** Moves the focus from the button to the first new item. */
function useFocusOnNewItem(end: RefObject<HTMLElement | null>) {
  const focusedList = useRef<{ readonly list: Element; readonly shown: number }>(undefined)

  useLayoutEffect(() => {
    if (focusedList.current === undefined) return
    const first = focusedList.current.list.children[focusedList.current.shown]
    const isAtEnd = document.activeElement === document.body || end.current?.contains(document.activeElement)
    if (first !== undefined) focusedList.current = undefined
    if (isAtEnd)
      (first ?? end.current)?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  })

  function onFocus() {
    const list = end.current?.previousElementSibling
    if (list) focusedList.current = { list, shown: list.childElementCount }
  }
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget !== null) focusedList.current = undefined
  }
  return { onFocus, onBlur }
}
