import type { PushMessage } from '#contract/push.ts'
import { pathRequest } from './path-request.ts'

const icon = '/icons/icon-192.png'
const answerTimeoutMs = 500

/** Shows a push message, unless it is of a conversation that a visible page has open. */
export async function showNotification(
  { registration, clients }: Pick<ServiceWorkerGlobalScope, 'registration' | 'clients'>,
  { category, title, body, path, tag }: PushMessage,
): Promise<void> {
  if (category === 'message' && (await isVisible(clients, path))) return
  await registration.showNotification(title, { body, tag, icon, data: path })
}

async function isVisible(clients: Clients, path: string): Promise<boolean> {
  const pages = await pagesOf(clients)
  const visible = pages.filter(({ visibilityState }) => visibilityState === 'visible')
  return (await Promise.all(visible.map(pathOf))).includes(path)
}

/** Focuses a page that has the path open, or opens a new one: other pages keep what is being written there. */
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
 * Asks a page for its path: `Client.url` is what the page was loaded with, wherever it has navigated since
 * (w3c/ServiceWorker issue 1515). A page that is still loading does not answer, and is where it was loaded.
 */
function pathOf(page: WindowClient): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(String(data))
    setTimeout(resolve, answerTimeoutMs, new URL(page.url).pathname)
    page.postMessage(pathRequest, [port2])
  })
}
