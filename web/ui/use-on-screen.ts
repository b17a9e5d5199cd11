import { type RefObject, useEffect, useState } from 'react'

/** Returns whether at least this share of the element is on the screen: not scrolled away, also not within a scrolling parent. */
export function useOnScreen(element: RefObject<Element | null>, share: number): boolean {
  const [isOnScreen, setOnScreen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)
        setOnScreen(last?.isIntersecting === true && last.intersectionRatio >= share)
      },
      { threshold: share },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, share])
  return isOnScreen
}
