import { type ReactNode, useEffect, useRef, useState } from 'react'

interface WhenReachedProps {
  /** Renders the children without waiting. */
  readonly now?: boolean
  readonly children: ReactNode
}

/** Renders its children in the browser once their place is on the screen: what is below the first screen need not load with it. */
export function WhenReached({ now = false, children }: WhenReachedProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isReached, setReached] = useState(false)
  if (now && !isReached) setReached(true)
  useEffect(() => {
    if (isReached || place.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setReached(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isReached])
  return isReached ? children : <div ref={place} />
}
