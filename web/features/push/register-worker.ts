import { scriptUrl } from '#web/api/trusted.ts'

/** Registers the service worker, which shows push messages and caches the app for offline use. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(scriptUrl('/sw.js'), { updateViaCache: 'none' })
}
