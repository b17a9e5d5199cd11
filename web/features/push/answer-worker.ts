import { pathRequest } from '#web/worker/path-request.ts'

/** Tells the service worker which path this page shows, whenever it asks. Returns how to stop. */
export function answerWorker(): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined
  const stop = new AbortController()
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports }) => {
      if (data === pathRequest) ports[0]?.postMessage(location.pathname)
    },
    stop,
  )
  return () => stop.abort()
}
