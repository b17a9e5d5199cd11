import { built } from './built.ts'
import { pictureCache } from './picture-cache.ts'

/** The name of the cache of the app's files. It has no data of members. */
const fileCache = 'files'
/** Without the cookie the server answers it with the app shell, in which the browser renders every screen. */
const appShell = '/my-listings'
const landingPage = '/'
/** The key of the list of this version's files, for the next version. */
const assetList = '/assets/'
const maxPictures = 300
/** The time limit of the network before the cached page is served. */
const timeoutMs = 4000

/** Files to cache at installation. Drawings are cached when they are displayed. */
const precached = /\.(?:js|css|woff2)$|\/(?:wordmark|mark)-[^/]*\.svg$/

/** Caches this version's files. If one fails, the installation fails and the browser tries again later. */
export async function cacheFiles(): Promise<void> {
  const files = await caches.open(fileCache)
  const cachedPaths = new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
  await files.addAll(built.assets.filter((path) => precached.test(path) && !cachedPaths.has(path)))
  const page = await fetch(appShell, { cache: 'no-cache', credentials: 'omit' })
  if (!(await isOfThisVersion(page))) throw new Error('The server has another version')
  await files.put(appShell, page)
}

/** Deletes files of earlier versions, except for the previous one, whose pages may still be open. */
export async function deleteOldFiles(): Promise<void> {
  const files = await caches.open(fileCache)
  const previousAssets: string[] = (await (await files.match(assetList))?.json()) ?? []
  const kept = new Set([appShell, landingPage, assetList, ...previousAssets, ...built.assets])
  for (const request of await files.keys()) {
    if (!kept.has(new URL(request.url).pathname)) await files.delete(request)
  }
  await files.put(assetList, Response.json(built.assets))
}

/** Returns the response to a request of a page. Returns undefined to leave it to the network, as all API calls. */
export function respond(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return undefined
  if (pathname.startsWith('/assets/')) return cacheFirst(fileCache, event)
  if (pathname.startsWith('/api/images/') && request.destination === 'image') {
    const picture = cacheFirst(pictureCache, event)
    event.waitUntil(picture.then(dropOldest, () => undefined))
    return picture
  }
  if (request.mode !== 'navigate' || /^\/(?:api|outbox)(?:\/|$)/.test(pathname)) return undefined
  return networkFirst(event, pathname === landingPage ? landingPage : appShell)
}

/** Serves an immutable file from the cache, or fetches and caches it. */
async function cacheFirst(name: string, event: FetchEvent): Promise<Response> {
  const { request } = event
  // Opened before the fetch: if a logout deletes the cache in the meantime, the response goes with it.
  const cache = await caches.open(name)
  const cached = await cache.match(request, { ignoreVary: true })
  if (cached !== undefined) return cached
  const fetched = await fetch(request)
  if (fetched.status === 200) event.waitUntil(store(cache, request, fetched.clone()))
  return fetched
}

async function store(cache: Cache, request: Request | string, response: Response) {
  try {
    await cache.put(request, response)
  } catch {
    // The storage is full. The file is fetched again the next time.
  }
}

async function dropOldest() {
  const pictures = await caches.open(pictureCache)
  for (const oldest of (await pictures.keys()).slice(0, -maxPictures)) await pictures.delete(oldest)
}

/** Fetches a page. Serves the cached one if the network fails or is slow, or the server answers 5xx. */
async function networkFirst(event: FetchEvent, name: string): Promise<Response> {
  const files = await caches.open(fileCache)
  const fallback = await files.match(name)
  const fresh = load(event, files, name)
  if (fallback === undefined) return fresh
  event.waitUntil(fresh.catch(() => undefined))
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs))
  const response = await Promise.race([fresh, timeout]).catch(() => undefined)
  return response === undefined || response.status >= 500 ? fallback : response
}

async function load(event: FetchEvent, files: Cache, name: string): Promise<Response> {
  const preloaded: Response | undefined = await event.preloadResponse
  const response = preloaded ?? (await fetch(event.request))
  // A member's page is not cached, nor a page of another version, whose scripts are missing here.
  const isPrivate = response.headers.get('cache-control')?.includes('private') ?? false
  if (response.status === 200 && !isPrivate && (name === landingPage || (await isOfThisVersion(response)))) {
    event.waitUntil(store(files, name, response.clone()))
  }
  return response
}

async function isOfThisVersion(response: Response): Promise<boolean> {
  return response.ok && (await response.clone().text()).includes(`"${built.entry}"`)
}
