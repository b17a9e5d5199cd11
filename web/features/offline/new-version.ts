import type { AppContext } from '#web/app-context.ts'
import { registerWorker } from '#web/features/push/register-worker.ts'
import { pageVersion } from './version.ts'

/**
 * Registers the service worker when the first visit has loaded, so that it takes nothing from it, and offers the version
 * of a new worker once it is here. Returns how to stop.
 */
export function watchVersion({ connection, toasts }: Pick<AppContext, 'connection' | 'toasts'>): () => void {
  // The development server builds no worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined
  const workers = navigator.serviceWorker
  const stop = new AbortController()
  let registration: ServiceWorkerRegistration | undefined

  async function register() {
    registration = await registerWorker()
    workers.controller?.postMessage('Which version?')
  }
  const offerReload = () =>
    toasts.showAction({ text: 'A new version is here.', label: 'Reload', press: () => location.reload() })
  const start = () => {
    register().catch((failure) => console.info('Nothing is kept for offline:', failure))
  }
  /** A page that stays open for days asks as well. */
  const lookForNews = () => {
    if (document.visibilityState === 'visible') registration?.update().catch(() => undefined)
  }

  workers.addEventListener(
    'message',
    ({ data }) => {
      if (typeof data === 'string' && data.startsWith('/assets/') && data !== pageVersion()) offerReload()
    },
    stop,
  )
  document.addEventListener('visibilitychange', lookForNews, stop)
  // A server that was away may have come back as a newer one.
  stop.signal.addEventListener('abort', connection.on('connected', lookForNews))
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, stop)
  return () => stop.abort()
}
