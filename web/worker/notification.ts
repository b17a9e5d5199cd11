import type { PushMessage } from '#contract/push.ts'

const icon = '/icons/icon-192.png'

/** Shows what the server has to tell while no page is open. */
export function showNotification(
  registration: ServiceWorkerRegistration,
  { title, body, path, tag }: PushMessage,
): Promise<void> {
  return registration.showNotification(title, { body, tag, icon, data: path })
}

/** A page that shows it already comes to the front; any other stays as it is, with what is being written there. */
export async function openPath(clients: Clients, path: string) {
  const place = new URL(path, location.origin).href
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find(({ url }) => url === place)
  await (there ? there.focus() : clients.openWindow(place))
}
