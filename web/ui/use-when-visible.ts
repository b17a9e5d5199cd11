import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `act` for each `key` other than 0 and undefined once the page is visible, whenever it becomes visible, and whenever `repeat`
 * changes.
 */
export function useWhenVisible(key: number | undefined, act: (key: number) => void, repeat?: unknown) {
  const actIfVisible = useEffectEvent(() => {
    if (key && document.visibilityState === 'visible') act(key)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `repeat` only starts the effect again.
  useEffect(() => {
    if (!key) return
    actIfVisible()
    document.addEventListener('visibilitychange', actIfVisible)
    return () => document.removeEventListener('visibilitychange', actIfVisible)
  }, [key, repeat])
}
