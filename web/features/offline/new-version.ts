import { t } from '@lingui/core/macro'
import type { AppContext } from '#web/context/app-context.ts'
import { registerWorker } from '#web/features/push/register-worker.ts'
import { language } from '#web/i18n/i18n.ts'
import { workerMessages } from '#web/worker/messages.ts'
import { pageVersion } from './version.ts'

/**
 * Registers the service worker after the page has loaded, so that it does not delay the page. Offers a reload once a new
 * version's worker is active. Returns a function that stops it.
 */
export function watchVersion({ connection, toasts }: Pick<AppContext, 'connection' | 'toasts'>): () => void {
  // The development server builds no worker.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined
  const workers = navigator.serviceWorker
  const stop = new AbortController()
  let registration: ServiceWorkerRegistration | undefined

  async function register() {
    registration = await registerWorker()
    workers.controller?.postMessage(workerMessages.version)
    const { active } = await workers.ready
    active?.postMessage(workerMessages.language + language())
  }
  const offerReload = () =>
    toasts.showAction({
      key: 'version',
      text: t`A new version is here.`,
      label: t`Reload`,
      press: () => location.reload(),
    })
  const start = () => {
    register().catch((failure) => console.info('The service worker was not registered:', failure))
  }
  /** Checks for a new version when the page becomes visible, because it may stay open for days. */
  const checkForUpdate = () => {
    if (document.visibilityState === 'visible') registration?.update().catch(() => undefined)
  }

  workers.addEventListener(
    'message',
    ({ data }) => {
      if (typeof data === 'string' && data.startsWith('/assets/') && data !== pageVersion()) offerReload()
    },
    stop,
  )
  document.addEventListener('visibilitychange', checkForUpdate, stop)
  // The server may have restarted with a new version.
  const { unsubscribe } = connection.connected.subscribe((isConnected) => isConnected && checkForUpdate())
  stop.signal.addEventListener('abort', unsubscribe)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, stop)
  return () => stop.abort()
}
