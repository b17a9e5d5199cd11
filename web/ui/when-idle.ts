const longestMs = 1000

/** Calls when the browser has drawn what it has to and nothing else to do, or after a second; returns how to stop. */
export function whenIdle(callback: () => void): () => void {
  // Safari has no word for it.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, longestMs / 4)
    return () => clearTimeout(timer)
  }
  const waiting = requestIdleCallback(callback, { timeout: longestMs })
  return () => cancelIdleCallback(waiting)
}
