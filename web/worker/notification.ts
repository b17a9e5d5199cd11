import type { PushMessage } from '#contract/push.ts'
import { pathRequest } from './messages.ts'

const icon = '/icons/icon-192.png'
const answerTimeoutMs = 2000

/** Shows a push message as a notification, unless a visible page shows what it is about. */
export async function showNotification(
  { registration, clients }: Pick<ServiceWorkerGlobalScope, 'registration' | 'clients'>,
  { title, body, path, tag }: PushMessage,
): Promise<void> {
  if (await isVisible(clients, new URL(path, location.origin).pathname)) return
  await registration.showNotification(title, { body, tag, icon, data: path })
}

async function isVisible(clients: Clients, path: string): Promise<boolean> {
  const pages = await pagesOf(clients)
  const visible = pages.filter(({ visibilityState }) => visibilityState === 'visible')
  return (await Promise.all(visible.map(pathOf))).includes(path)
}

/** Focuses a page that shows the path, or opens a new one. Never navigates another page, which may have unsaved input. */
export async function openPath(clients: Clients, path: string): Promise<void> {
  const pages = await pagesOf(clients)
  const paths = await Promise.all(pages.map(pathOf))
  const page = pages[paths.indexOf(path)]
  await (page ? page.focus() : clients.openWindow(new URL(path, location.origin).href))
}

function pagesOf(clients: Clients): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/**
 * Requests the path of a page. `Client.url` is the URL that the page was loaded with, without later navigations
 * (w3c/ServiceWorker issue 1515). A page that is still loading does not answer, so its URL is right.
 */
function pathOf(page: WindowClient): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(String(data))
    setTimeout(resolve, answerTimeoutMs, new URL(page.url).pathname)
    page.postMessage(pathRequest, [port2])
  })
}
