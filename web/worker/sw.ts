import type { PushMessage } from '#contract/push.ts'
import icon from '#web/art/logo/app-icon.png'

declare const self: ServiceWorkerGlobalScope

/** Shows what the server has to tell while no page is open, and opens what is pressed. It keeps no files. */
self.addEventListener('push', (event) => {
  if (event.data === null) return
  const { title, body, path, tag }: PushMessage = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: path }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(String(event.notification.data)))
})

/** A page that shows it already comes to the front; any other stays as it is, with what is being written there. */
async function show(path: string) {
  const place = new URL(path, self.location.origin).href
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find(({ url }) => url === place)
  await (there ? there.focus() : self.clients.openWindow(place))
}
