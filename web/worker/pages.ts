import { built } from './built.ts'
import { storedLanguage } from './language.ts'

/** The name of the cache of pages. They have no data of members. */
const pageCache = 'pages'
/** Without the cookie the server answers it with the app shell, in which the browser renders every screen. */
const appShell = '/my-listings'
const landingPage = '/'
/** The time limit of the network before the stored page is served. */
const timeoutMs = 4000

/** Fetches the pages that are served without a network, without the cookie, and stores them. Rejects if one can not be stored. */
export async function storePages(): Promise<void> {
  const fetched = await Promise.all([appShell, landingPage].map(fetchForEveryone))
  const cache = await caches.open(pageCache)
  for (const { path, page } of fetched) await cache.put(path, page)
}

async function fetchForEveryone(path: string) {
  const language = await storedLanguage()
  // Without the cookies of the login and the language.
  const headers = language === undefined ? {} : { 'Accept-Language': language }
  const page = await fetch(path, { cache: 'no-store', credentials: 'omit', headers })
  const html = await page.clone().text()
  if (!page.ok || !isForEveryone(html) || !isOfThisVersion(html) || !hasOwnPolicy(page, html))
    throw new Error(`The server did not answer ${path} with a page of this version for everyone`)
  return { path, page }
}

/** Fetches a page. Serves a stored one if the network fails or is slow, or the server answers 5xx. */
export async function respondWithPage({ preloadResponse, request }: FetchEvent): Promise<Response> {
  const fresh = fetchPage(preloadResponse, request)
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs))
  const response = await Promise.race([fresh, timeout]).catch(() => undefined)
  if (response !== undefined && response.status < 500) return response
  const { pathname } = new URL(request.url)
  return (await findPage(pathname === landingPage ? landingPage : appShell)) ?? fresh
}

/**
 * Returns the page that the browser has requested already, or fetches it. If its scripts are not those of its policy, as WebKit once showed
 * after an update of the worker, fetches it again from the server. Throws if that page has another policy too.
 */
async function fetchPage(preload: Promise<Response | undefined>, request: Request): Promise<Response> {
  // Neither copied nor changed, so that the page keeps its content security policy.
  const page = (await preload) ?? (await fetch(request))
  if (await startsWithOwnPolicy(page)) return page
  const again = await fetch(request, { cache: 'reload' })
  if (await startsWithOwnPolicy(again)) return again
  throw new Error('The page has the policy of another')
}

/** Reads a copy up to the first inline script, and returns whether it has the nonce of the page's policy. */
async function startsWithOwnPolicy(page: Response): Promise<boolean> {
  if (page.body === null || !page.headers.get('content-type')?.startsWith('text/html')) return true
  const reader = page.clone().body?.pipeThrough(new TextDecoderStream()).getReader()
  let html = ''
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    html += part.value
    if (!scriptWithNonce.test(html)) continue
    void reader?.cancel().catch(() => undefined)
    break
  }
  return hasOwnPolicy(page, html)
}

/** Returns the stored page. Returns undefined if its policy is not its own, because the browser would refuse all its inline scripts. */
async function findPage(path: string): Promise<Response | undefined> {
  const page = await (await caches.open(pageCache)).match(path)
  if (page === undefined) return undefined
  // Read as a whole, so that a write to the cache in the meantime can not change the rest.
  const html = await page.text()
  return hasOwnPolicy(page, html) ? new Response(html, { headers: page.headers }) : undefined
}

/** Returns whether the server has marked the page as one without data of members, links or addresses (`web/routes/__root.tsx`). */
function isForEveryone(html: string): boolean {
  return /^<!DOCTYPE html><html [^>]*\bdata-for-everyone=/.test(html)
}

/** Returns whether the files of the page are those of this version. Those of another are not cached. */
function isOfThisVersion(html: string): boolean {
  const named = html.match(/\/assets\/[\w.-]+/g) ?? []
  return named.length > 0 && named.every((path) => built.assets.includes(path))
}

const scriptWithNonce = /<script\b[^>]*? nonce="([^"]*)"/

/** Returns whether the page's inline scripts have the nonce that its content security policy allows. */
function hasOwnPolicy({ headers }: Response, html: string): boolean {
  const [, allowed] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? []
  return [...html.matchAll(new RegExp(scriptWithNonce, 'g'))].every(([, nonce]) => nonce === allowed)
}
