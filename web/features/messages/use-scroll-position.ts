import { useHydrated } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A reader who is nearer to the end than this is at the end. */
export const nearPx = 80

interface Ends {
  /** The id of the first message. */
  readonly first: number | undefined
  /** The id of the last message. */
  readonly last: number | undefined
  /** The id of the last unsent message. */
  readonly unsent: string | undefined
}

interface Layout extends Pick<Ends, 'first' | 'unsent'> {
  readonly height: number
  readonly visibleHeight: number
  /** The distance in pixels from the end before hydration, when the list is laid out from its end. */
  readonly fromEnd: number | undefined
}

/** Keeps the scroll position: at the end new messages scroll into view, elsewhere nothing moves. */
export function useScrollPosition(list: RefObject<HTMLDivElement | null>, { first, last, unsent }: Ends) {
  const isHydrated = useHydrated()
  const [atEnd, setAtEnd] = useState(true)
  /** The last message when the reader left the end. Later ones are new to them. */
  const [lastSeen, setLastSeen] = useState<number>()
  const previous = useRef<Layout>({ first, unsent, height: 0, visibleHeight: 0, fromEnd: undefined })

  function leaveEnd() {
    setLastSeen(last)
    setAtEnd(false)
  }

  useLayoutEffect(() => {
    const box = list.current
    if (box === null) return
    const { first: firstBefore, unsent: unsentBefore, height, visibleHeight } = previous.current
    const { fromEnd: fromEndBefore } = previous.current
    // In a list that is laid out from its end `scrollTop` is zero at the end and negative above.
    const fromEnd = isHydrated ? undefined : -box.scrollTop
    const hasOlder = firstBefore !== undefined && first !== undefined && first < firstBefore
    if (fromEnd !== undefined) {
      if (fromEnd > nearPx) leaveEnd()
    } else if (fromEndBefore !== undefined && fromEndBefore > nearPx)
      box.scrollTop = box.scrollHeight - box.clientHeight - fromEndBefore
    else if (hasOlder) box.scrollTop += box.scrollHeight - height
    else if (unsent !== unsentBefore) box.scrollTop = box.scrollHeight
    else if (atEnd) {
      // The reader may have left the end since the last frame, whose scroll event is still to come.
      const wasNear = height - box.scrollTop - visibleHeight < nearPx
      if (fromEndBefore !== undefined || wasNear || isNearEnd(box)) box.scrollTop = box.scrollHeight
    }
    const { scrollHeight, clientHeight } = box
    previous.current = { first, unsent, fromEnd, height: scrollHeight, visibleHeight: clientHeight }
  })
  useStickToEnd(list, atEnd)

  return {
    atEnd,
    hasNew: !atEnd && last !== lastSeen,
    onScroll() {
      const box = list.current
      if (box === null) return
      if (isNearEnd(box)) setAtEnd(true)
      else if (atEnd) leaveEnd()
    },
    scrollToEnd() {
      if (list.current !== null) list.current.scrollTop = list.current.scrollHeight
    },
  }
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < nearPx
}

/** Keeps the end in view when the list is resized, for example by an on-screen keyboard. */
function useStickToEnd(list: RefObject<HTMLDivElement | null>, atEnd: boolean) {
  useEffect(() => {
    const box = list.current
    if (box === null) return
    const observer = new ResizeObserver(() => {
      if (atEnd) box.scrollTop = box.scrollHeight
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [list, atEnd])
}
