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
  /** The distance in pixels from the end before hydration, when the list is laid out from its end. */
  readonly fromEnd: number | undefined
}

/** Keeps the scroll position: at the end new messages scroll into view, elsewhere nothing moves. */
export function useScrollPosition(list: RefObject<HTMLDivElement | null>, { first, last, unsent }: Ends) {
  const isHydrated = useHydrated()
  const [atEnd, setAtEnd] = useState(true)
  /** The last message when the reader left the end. Later ones are new to them. */
  const [lastSeen, setLastSeen] = useState<number>()
  const previous = useRef<Layout>({ first, unsent, height: 0, fromEnd: undefined })

  function leaveEnd() {
    setLastSeen(last)
    setAtEnd(false)
  }

  useLayoutEffect(() => {
    const box = list.current
    if (box === null) return
    const { first: firstBefore, unsent: unsentBefore, height, fromEnd: fromEndBefore } = previous.current
    // In a list that is laid out from its end `scrollTop` is zero at the end and negative above.
    const fromEnd = isHydrated ? undefined : -box.scrollTop
    const hasOlder = firstBefore !== undefined && first !== undefined && first < firstBefore
    if (fromEnd !== undefined) {
      if (fromEnd > nearPx) leaveEnd()
    } else if (fromEndBefore !== undefined && fromEndBefore > nearPx)
      box.scrollTop = box.scrollHeight - box.clientHeight - fromEndBefore
    else if (hasOlder) box.scrollTop += box.scrollHeight - height
    else if (atEnd || unsent !== unsentBefore) box.scrollTop = box.scrollHeight
    previous.current = { first, unsent, height: box.scrollHeight, fromEnd }
  })
  useStickToEnd(list, atEnd)

  return {
    atEnd,
    hasNew: !atEnd && last !== lastSeen,
    onScroll() {
      const box = list.current
      if (box === null) return
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
      if (isNear) setAtEnd(true)
      else if (atEnd) leaveEnd()
    },
    scrollToEnd() {
      if (list.current !== null) list.current.scrollTop = list.current.scrollHeight
    },
  }
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
