import { scriptUrl } from '#web/api/trusted.ts'

/** The one service worker: it shows what comes by push, and keeps the app for when there is no network. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(scriptUrl('/sw.js'), { updateViaCache: 'none' })
}
