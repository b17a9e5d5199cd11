import { built } from './built.ts'
import { cacheFiles, deleteOldFiles, respond } from './files.ts'
import { openPath, showNotification } from './notification.ts'

declare const self: ServiceWorkerGlobalScope

// Cached files have hashes in their names, so a new version also serves pages of the previous one.
self.addEventListener('install', (event) => {
  event.waitUntil(cacheFiles().then(() => self.skipWaiting()))
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

// A page requests the active version with any message.
self.addEventListener('message', ({ source }) => source?.postMessage(built.entry))

self.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(showNotification(self, event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(self.clients, String(event.notification.data)))
})
