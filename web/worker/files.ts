import { built } from './built.ts'
import { storedLanguage } from './language.ts'
import { respondWithPage } from './pages.ts'
import { pictureCache } from './picture-cache.ts'

/** The name of the cache of the app's files. It has no data of members. */
const fileCache = 'files'
/** The key of the list of this version's files, for the next version. */
const assetList = '/assets/'
const maxPictures = 300

/** Files to cache at installation. Drawings are cached when they are displayed. */
const precached = /\.(?:js|css|woff2)$|\/(?:wordmark|mark)-[^/]*\.svg$/

/** Caches this version's files, with the catalogs of the stored language only. If one fails, the installation fails and the browser tries again later. */
export async function cacheFiles(): Promise<void> {
  const files = await caches.open(fileCache)
  const own = await storedLanguage()
  const cachedPaths = new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
  const others = Object.entries(built.catalogs).flatMap(([language, paths]) =>
    language === own ? [] : paths,
  )
  const wanted = built.assets.filter((path) => precached.test(path) && !others.includes(path))
  await files.addAll(wanted.filter((path) => !cachedPaths.has(path)))
}

/** Deletes files of earlier versions, except for the previous one, whose pages may still be open. */
export async function deleteOldFiles(): Promise<void> {
  const files = await caches.open(fileCache)
  const previousAssets: string[] = (await (await files.match(assetList))?.json()) ?? []
  const kept = new Set([assetList, ...previousAssets, ...built.assets])
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
  return respondWithPage(event)
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
