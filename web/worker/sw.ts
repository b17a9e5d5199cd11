import { built } from './built.ts'
import { cacheFiles, deleteOldFiles, respond } from './files.ts'
import { storedLanguage, storeLanguage } from './language.ts'
import { workerMessages } from './messages.ts'
import { openPath, showNotification } from './notification.ts'
import { storePages } from './pages.ts'
import { pictureCache } from './picture-cache.ts'

declare const self: ServiceWorkerGlobalScope

// Cached files have hashes in their names, so a new version also serves pages of the previous one.
self.addEventListener('install', (event) => {
  event.waitUntil(
    cacheFiles()
      .then(storePages)
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeControl())
})

async function takeControl() {
  await self.registration.navigationPreload?.enable()
  await deleteOldFiles()
  await self.clients.claim()
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(built.entry)
}

self.addEventListener('fetch', (event) => {
  const response = respond(event)
  if (response !== undefined) event.respondWith(response)
})

self.addEventListener('message', (event) => {
  if (event.data === workerMessages.version) event.source?.postMessage(built.entry)
  const language = languageIn(event.data)
  if (language !== undefined) event.waitUntil(changeLanguage(language).catch(() => undefined))
  // Without a network the stored pages stay.
  if (event.data === workerMessages.storePages) event.waitUntil(storePages().catch(() => undefined))
  if (event.data === workerMessages.logOut)
    event.waitUntil(Promise.allSettled([caches.delete(pictureCache), storePages()]))
})

function languageIn(message: unknown): string | undefined {
  return typeof message === 'string' && message.startsWith(workerMessages.language)
    ? message.slice(workerMessages.language.length)
    : undefined
}

/** Caches the texts and pages of another language than the stored one. */
async function changeLanguage(language: string) {
  if (language === (await storedLanguage())) return
  await storeLanguage(language)
  await cacheFiles()
  await storePages()
}

self.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(showNotification(self, event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(self.clients, String(event.notification.data)))
})
