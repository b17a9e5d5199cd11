import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLanguage, type Language, sourceLanguage } from '#contract/languages.ts'
import type { RegistrationMode, SiteLogo } from '#contract/site-settings.ts'
import type { Region } from '#server/platform/i18n/translator.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { createQueue } from '#server/platform/queue.ts'
import type { TokenBuckets } from '#server/platform/token-buckets.ts'
import { pageCompression } from './compression.ts'
import { dismissalCookieOf, dismissalIn, requestedDismissal } from './dismissed-banner.ts'
import { guestLanguage, languageCookieOf, requestedLanguage } from './language.ts'
import { cookieToken } from './login-cookie.ts'
import { serveManifest } from './manifest.ts'

/** A text above all pages. Its `id` is another for another text. */
interface Banner {
  readonly id: string
  readonly text: string
  /** Empty for none. */
  readonly link: string
}

/** The operator's settings that pages show. */
export interface Site {
  readonly name: string
  /** Empty for the sentence of the release. */
  readonly sentence: string
  /** Null for the drawn name. */
  readonly logo: SiteLogo | null
  readonly banner: Banner | undefined
  readonly registration: RegistrationMode
  readonly support_email: string
  readonly social_links: readonly { readonly name: string; readonly url: string }[]
}

/** Where the site is (`web/context/site.ts`). */
interface PageRegion extends Region {
  readonly distanceUnit: 'mi' | 'km'
}

interface Member {
  readonly id: number
  readonly username: string
  readonly language: string | null
}

/** The input of a rendered page (`web/context/page-request.ts`). */
interface PageRequest {
  readonly nonce: string
  readonly site: {
    name: string
    sentence: string
    logo: SiteLogo | null
    banner: Banner | undefined
    registration: RegistrationMode
    publicUrl: string
    canonicalUrl?: string | undefined
    supportEmail: string
    region: PageRegion
    socialLinks: Site['social_links']
  }
  readonly language: Language
  readonly ssr: boolean
  readonly member: Pick<Member, 'id' | 'username'> | undefined
  readonly hasCookie: boolean
  readonly fetch: typeof fetch
}

/** The exports of `web/server.ts` that a node uses. */
export interface Renderer {
  renderPage(request: Request, page: PageRequest): Promise<Response>
}

/** The web client that a node serves: built, or from Vite's development server. */
export interface WebClient extends Renderer {
  /** Serves the scripts, styles and other files of the pages. */
  serveFiles(http: FastifyInstance): Promise<void>
  /** Returns the content security policy of a page. */
  policy(nonce: string): string
}

const noCache = 'no-cache'
/** Keeps a member's page out of the browser's cache, where another person at the device could see it. */
const memberOnly = 'private, no-store'

/** The origin of page requests. The renderer uses only the path. */
const origin = 'http://localhost'

/** The time that a page waits for its data, in milliseconds. Later data loads in the browser. */
const dataTimeoutMs = 150
/** The rate limit of a member's rendered pages on one node. Above it pages are the app shell, which needs no data. */
const memberPageRate = { burst: 60, perSecond: 5 }
/** The pages that are rendered at a time on one node. Most of that time they wait for their data. */
const renderLimits = { concurrency: 50, maxWaiting: 200 }

export interface PageOptions {
  /** Returns the settings of the site that hold now. */
  readonly site: () => Site
  readonly region: PageRegion
  /** The URL of this site for members, without a slash at the end. */
  readonly publicUrl: string
  /** The setting PUBLIC_URL. */
  readonly canonicalUrl?: string | undefined
  /** True if pages are rendered on the server. Otherwise every page except the landing page and Page Not Found is the app shell. */
  readonly ssr: boolean
  /** True if members use HTTPS. */
  readonly https: boolean
  readonly tokenBuckets: TokenBuckets
  readonly outcomes: Metrics['ssr']
  /** Returns the member of a session token. */
  readonly findMember: (token: string) => Promise<Member | undefined>
}

/** Serves the files of the web client and rendered pages. */
export async function servePages(
  http: FastifyInstance,
  client: WebClient,
  options: PageOptions,
): Promise<void> {
  const sendPage = pageSender(http, client, options)
  await client.serveFiles(http)
  serveManifest(http, options.site)
  http.get('/*', { compress: pageCompression }, async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/^\/(api|assets)(\/|$)/.test(path) || /\.\w{1,8}$/.test(path)) return reply.callNotFound()
    return sendPage(request, reply)
  })
}

/** Returns the handler that renders a page. */
function pageSender(http: FastifyInstance, client: WebClient, options: PageOptions) {
  const { ssr, https, tokenBuckets, outcomes, findMember } = options
  const mayRender = tokenBuckets<number>(memberPageRate)
  const runLimited = createQueue(renderLimits)

  /** Returns the member and the token of the cookie. */
  async function findLogin({ headers, method }: FastifyRequest) {
    const token = cookieToken(headers, https)
    const isDocument = method === 'GET' && (headers['sec-fetch-dest'] ?? 'document') === 'document'
    if (token === undefined || !ssr || !isDocument) return { hasCookie: token !== undefined }
    const member = await findMember(token).catch(() => undefined)
    return { hasCookie: true, ...(member && mayRender(member.id) && { token, member }) }
  }

  /** Renders a page. If that fails, the page is the app shell, and the browser renders the screen. */
  async function render({ url, log }: FastifyRequest, page: PageRequest): Promise<Response> {
    const attempt = async (outcome: 'rendered' | 'fallback', ssr: boolean) => {
      const response = await client.renderPage(new Request(new URL(pathOf(url), origin)), { ...page, ssr })
      if (response.status >= 500) throw new Error(`The renderer answered ${response.status}`)
      outcomes.inc({ outcome })
      return response
    }
    try {
      return await attempt('rendered', ssr)
    } catch (error) {
      log.error({ err: error }, 'A page could not be rendered, so it is the app shell')
    }
    return attempt('fallback', false).catch((error: unknown) => {
      outcomes.inc({ outcome: 'failed' })
      throw error
    })
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    const login = await findLogin(request)
    const { token, member, hasCookie } = { token: undefined, member: undefined, ...login }
    const requested = requestedLanguage(request.query)
    if (requested !== undefined) reply.header('set-cookie', languageCookieOf(requested, https))
    const dismissed = requestedDismissal(request.query)
    if (dismissed !== undefined) reply.header('set-cookie', dismissalCookieOf(dismissed, https))
    const response = await runLimited(() =>
      render(request, {
        nonce,
        site: clientSite(options, dismissed ?? dismissalIn(request.headers)),
        language: requested ?? pageLanguage(request, member),
        ssr,
        member: member && { id: member.id, username: member.username },
        hasCookie,
        fetch: apiInProcess(http, { token, address: request.ip }),
      }),
    )
    reply.raw.setHeader('Content-Security-Policy', client.policy(nonce))
    return sendRendered(reply, response, member === undefined ? noCache : memberOnly)
  }
}

/** Returns what a page shows of the site, without a banner that the browser has dismissed. */
function clientSite(
  { site, region, publicUrl, canonicalUrl }: PageOptions,
  dismissed: string | undefined,
): PageRequest['site'] {
  const { name, sentence, logo, banner, registration, support_email, social_links } = site()
  return {
    name,
    sentence,
    logo,
    banner: banner?.id === dismissed ? undefined : banner,
    registration,
    publicUrl,
    canonicalUrl,
    supportEmail: support_email,
    region,
    socialLinks: social_links,
  }
}

async function sendRendered(reply: FastifyReply, response: Response, cacheControl: string) {
  reply.code(response.status).headers({
    vary: 'cookie, accept-language',
    'content-language': response.headers.get('content-language') ?? sourceLanguage,
    'cache-control': cacheControl,
  })
  const location = response.headers.get('location')
  if (location !== null) return reply.header('location', pathOf(location)).send()
  return reply.type('text/html; charset=utf-8').send(await response.text())
}

/** Returns the language of the member, or else of the guest. */
function pageLanguage({ headers }: FastifyRequest, member: Member | undefined): Language {
  const language = member?.language
  return language && isLanguage(language) ? language : (guestLanguage(headers) ?? sourceLanguage)
}

/** Returns the path and query of a URL with one slash at the start, because two would name another host. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url.replace(/^[/\\]+/, '/'), origin)
  return pathname.replace(/^\/+/, '/') + search
}

/** Returns a `fetch` that calls the API of this process with the same checks and limits. It rejects after `dataTimeoutMs`. */
function apiInProcess(
  http: FastifyInstance,
  { token, address }: { token: string | undefined; address: string },
): typeof fetch {
  const timeout = AbortSignal.timeout(dataTimeoutMs)
  const timedOut = once(timeout, 'abort').then((): never => {
    throw timeout.reason
  })
  timedOut.catch(() => {})
  return async (url) => {
    timeout.throwIfAborted()
    // With `signal` of `inject`, logs and metrics would count the call as answered at the timeout.
    const { statusCode, headers, payload } = await Promise.race([
      http.inject({
        url: String(url),
        headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        remoteAddress: address,
      }),
      timedOut,
    ])
    return new Response(statusCode === 204 ? null : payload, {
      status: statusCode,
      headers: { ...(headers.link && { link: String(headers.link) }) },
    })
  }
}
