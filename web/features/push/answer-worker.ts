import { pathRequest } from '#web/worker/messages.ts'

/** Answers the service worker's requests for the path of this page. Returns a function that stops it. */
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
