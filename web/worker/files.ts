import { built } from './built.ts'
import { pictureCache } from './picture-cache.ts'

/** The app's own files: nothing of any member. */
const fileCache = 'files'
/** Without the cookie, the app shell: the browser renders every screen in it. */
const app = '/my-listings'
const front = '/'
/** Under this name the cache holds the names of the version's files, for the version after it. */
const names = '/assets/'
const maxPictures = 300
/** With one bar of signal, what is kept is sooner there. */
const timeoutMs = 4000

/** Files that every screen may need. Drawings are cached when they are shown. */
const needed = /\.(?:js|css|woff2)$|\/(?:wordmark|mark)-[^/]*\.svg$/

/** Takes in this version, or fails whole; then the browser tries again another time. */
export async function keepFiles(): Promise<void> {
  const files = await caches.open(fileCache)
  const here = new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
  await files.addAll(built.assets.filter((path) => needed.test(path) && !here.has(path)))
  const page = await fetch(app, { cache: 'no-cache', credentials: 'omit' })
  if (!(await isOfThisVersion(page))) throw new Error('Another version answers')
  await files.put(app, page)
}

/** Lets go of files that neither this version has nor the one before it, whose pages may still be open. */
export async function letGo(): Promise<void> {
  const files = await caches.open(fileCache)
  const before: string[] = (await (await files.match(names))?.json()) ?? []
  const wanted = new Set([app, front, names, ...before, ...built.assets])
  for (const kept of await files.keys()) {
    if (!wanted.has(new URL(kept.url).pathname)) await files.delete(kept)
  }
  await files.put(names, Response.json(built.assets))
}

/** The answer to what a page asks for, unless that is for the server alone to say: all that is private is. */
export function answer(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return undefined
  if (pathname.startsWith('/assets/')) return kept(fileCache, event)
  if (pathname.startsWith('/api/images/') && request.destination === 'image') {
    const picture = kept(pictureCache, event)
    event.waitUntil(picture.then(dropOldest, () => undefined))
    return picture
  }
  if (request.mode !== 'navigate' || /^\/(?:api|outbox)(?:\/|$)/.test(pathname)) return undefined
  return page(event, pathname === front ? front : app)
}

/** Serves an immutable file from the cache, or fetches and caches it. */
async function kept(name: string, event: FetchEvent): Promise<Response> {
  const { request } = event
  // Opened before it is asked for: what arrives after the pictures were deleted goes with them.
  const cache = await caches.open(name)
  const found = await cache.match(request, { ignoreVary: true })
  if (found !== undefined) return found
  const fetched = await fetch(request)
  if (fetched.status === 200) event.waitUntil(keep(cache, request, fetched.clone()))
  return fetched
}

async function keep(cache: Cache, request: Request | string, response: Response) {
  try {
    await cache.put(request, response)
  } catch {
    // A full storage: it is asked for again the next time.
  }
}

async function dropOldest() {
  const pictures = await caches.open(pictureCache)
  for (const oldest of (await pictures.keys()).slice(0, -maxPictures)) await pictures.delete(oldest)
}

/** The page as the server has it now; the one that is kept where no answer comes, or none that helps. */
async function page(event: FetchEvent, name: string): Promise<Response> {
  const files = await caches.open(fileCache)
  const fallback = await files.match(name)
  const fresh = load(event, files, name)
  if (fallback === undefined) return fresh
  event.waitUntil(fresh.catch(() => undefined))
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs))
  const answered = await Promise.race([fresh, late]).catch(() => undefined)
  return answered === undefined || answered.status >= 500 ? fallback : answered
}

async function load(event: FetchEvent, files: Cache, name: string): Promise<Response> {
  const preloaded: Response | undefined = await event.preloadResponse
  const response = preloaded ?? (await fetch(event.request))
  // A member's page is not cached, nor a page of another version, whose scripts are missing here.
  const isPrivate = response.headers.get('cache-control')?.includes('private') ?? false
  if (response.status === 200 && !isPrivate && (name === front || (await isOfThisVersion(response)))) {
    event.waitUntil(keep(files, name, response.clone()))
  }
  return response
}

async function isOfThisVersion(response: Response): Promise<boolean> {
  return response.ok && (await response.clone().text()).includes(`"${built.entry}"`)
}
