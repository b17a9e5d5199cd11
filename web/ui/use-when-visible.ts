import { useEffect, useEffectEvent } from 'react'

/** Calls `act` for each `key` other than 0 and undefined once the page is visible, and again whenever it becomes visible. */
export function useWhenVisible(key: number | undefined, act: (key: number) => void) {
  const actIfVisible = useEffectEvent(() => {
    if (key && document.visibilityState === 'visible') act(key)
  })
  useEffect(() => {
    if (!key) return
    actIfVisible()
    document.addEventListener('visibilitychange', actIfVisible)
    return () => document.removeEventListener('visibilitychange', actIfVisible)
  }, [key])
}
