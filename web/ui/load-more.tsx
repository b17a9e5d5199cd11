import { t } from '@lingui/core/macro'
import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import layout from '#web/styles/layout.module.css'
import { useAnnouncedCount } from '#web/ui/announcements.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Stack } from './layout.tsx'
import { whenIdle } from './when-idle.ts'

type LoadMoreProps = {
  hasNextPage: boolean
  /** Whether the loaded pages are fetched again. The next page would cancel that, so it waits unless it is asked for. */
  isRefetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
  failure: string
  /** All items that are loaded. */
  items: readonly unknown[] | undefined
  isPlaceholderData: boolean
  /** The translated noun of the list's items, such as 'listings', for the button and the announcement. */
  of?: string | undefined
}

/** The pages that load without a press. Then the footer stays in reach. */
const maxAutomaticPages = 3

/**
 * Follows a list and loads its next page at a press, and when it is scrolled near the viewport, unless several pages have loaded
 * without a press.
 */
export function LoadMore({
  hasNextPage,
  isRefetching,
  isFetchingNextPage,
  isFetchNextPageError,
  fetchNextPage,
  failure,
  items,
  isPlaceholderData,
  of,
}: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const automatic = useAutomaticPages(items?.[0])
  const isIdle = !isRefetching && !isFetchingNextPage && !isFetchNextPageError
  const canLoad = hasNextPage && isIdle && !automatic.isOver
  const load = useEffectEvent(() => {
    automatic.add()
    void fetchNextPage()
  })
  const loadAtPress = () => {
    automatic.reset()
    void fetchNextPage()
  }

  useEffect(() => {
    const element = end.current
    if (!canLoad || element === null) return
    let observer: IntersectionObserver | undefined
    // Looking for the box needs the styles of the page, which would lengthen hydration.
    const cancel = whenIdle(() => {
      observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) load()
        },
        // The margin of the viewport has no effect in a scrolling box.
        { root: scrollerOf(element), rootMargin: '600px' },
      )
      observer.observe(element)
    })
    return () => {
      cancel()
      observer?.disconnect()
    }
  }, [canLoad])

  const focusHandlers = useFocusOnNewItem(end)
  useAnnouncedCount(isPlaceholderData ? undefined : items?.length, of, hasNextPage)

  if (!hasNextPage) return null
  return (
    <Stack align="center" ref={end} className={layout.section} {...focusHandlers}>
      {isFetchNextPageError ? (
        <ErrorState text={failure} onRetry={loadAtPress} />
      ) : (
        <Button variant="secondary" busy={isFetchingNextPage && t`Loading...`} onClick={loadAtPress}>
          {of === undefined ? t`More` : t`More ${of}`}
        </Button>
      )}
    </Stack>
  )
}

/** Returns the box that an element scrolls in, or null for the viewport. */
function scrollerOf({ parentElement }: Element): Element | null {
  if (parentElement === null || parentElement === document.body) return null
  return /auto|scroll/.test(getComputedStyle(parentElement).overflowY)
    ? parentElement
    : scrollerOf(parentElement)
}

/** Counts the pages of a list that have loaded without a press. A list with another first item is a new one. */
function useAutomaticPages(first: unknown) {
  const [pages, setPages] = useState({ first, count: 0 })
  const count = pages.first === first ? pages.count : 0
  return {
    isOver: count >= maxAutomaticPages,
    add: () => setPages({ first, count: count + 1 }),
    reset: () => setPages({ first, count: 0 }),
  }
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
