import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type FirstAnswers, writtenOut } from './first-answers.ts'
import type { Look, Looks } from './looks.ts'

/** What the pages say of whoever runs them. */
export interface Site {
  readonly support_email: string
  readonly social_links: readonly { readonly name: string; readonly url: string }[]
}

const blanks = /<li data-social[\s\S]*?<\/li>|%RHUBARB_SITE%|%SUPPORT_EMAIL%/g

/** Fills in what only the running server knows. The item marked `data-social` is repeated for each link. */
function filled(page: string, site: Site): string {
  // In one go and by a function, so that nothing a setting says is taken for a blank or for a part of the pattern.
  return page.replaceAll(blanks, (blank) => {
    if (blank === '%RHUBARB_SITE%') return escapeHtml(JSON.stringify(site))
    if (blank === '%SUPPORT_EMAIL%') return escapeHtml(site.support_email)
    const item = blank.replace(/ data-social(="[^"]*")?/, '')
    return site.social_links.map((link) => filledLink(item, link)).join('')
  })
}

function filledLink(item: string, { name, url }: Site['social_links'][number]): string {
  return item.replaceAll(/%SOCIAL_(?:URL|NAME)%/g, (blank) =>
    escapeHtml(blank === '%SOCIAL_URL%' ? url : name),
  )
}

const forGood = 'public, max-age=31536000, immutable'
const forNow = 'no-cache'
/** Nobody who comes after its member at the same machine sees it. */
const forMember = 'private, no-store'
/** What tells of a new version. */
const alwaysAsked = /sw\.js$|\.webmanifest$/

const place = z.object({
  path: z.string(),
  scripts: z.array(z.string()),
  styles: z.array(z.string()),
  framed: z.boolean(),
})
type Place = z.output<typeof place>

/** What is for members' screens alone is written between two of these: their first script, and what stands around them. */
const frameMark = '<!-- frame -->'
const frame = /<!-- frame -->[\s\S]*?<!-- frame -->/g

interface Page {
  readonly markup: string
  readonly status: 200 | 404
  /** Whether it is a member's, and may bring what that one sees first. */
  readonly framed: boolean
}

/**
 * The app's page for a path. Its head names what the screen there is made of, so that all of it is fetched at once. Where
 * there is no screen, the app says so, and so does the status.
 */
function pagesOf(app: string, places: readonly Place[]): (path: string) => Page {
  const bare = app.replaceAll(frame, '')
  const pages = places.map(({ path, scripts, styles, framed }) => {
    const links = [
      ...styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
      ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    ].filter((link) => !app.includes(link.slice(link.indexOf('href='))))
    const markup = (framed ? app : bare).replace('</head>', () => `${links.join('')}</head>`)
    // The router reads addresses so: in any case of letters, with or without a slash at the end.
    return {
      path: new RegExp(path, 'i'),
      page: { markup: framed ? scriptsLater(markup) : markup, status: 200, framed } as const,
    }
  })
  return (path) => {
    const plain = path.replace(/(?<=.)\/+$/, '')
    return pages.find((one) => one.path.test(plain))?.page ?? { markup: bare, status: 404, framed: false }
  }
}

/** The frame is painted before the scripts have come: they take nothing from what it is made of. */
function scriptsLater(page: string): string {
  return page.replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
}

/**
 * The page with the answers to what its member's screen asks first, and whose they are. With a look, that is painted before any
 * script is asked for: the first script lets them come.
 */
function bringing(page: string, member: number, answers: string, look: Look | undefined): string {
  const end = page.lastIndexOf(frameMark)
  const start = page.lastIndexOf(frameMark, end - 1)
  const head = page.slice(0, start).replace('<html', `<html data-member="${member}"`)
  const brought = `<script type="application/json" id="brought">${answers}</script>`
  if (look === undefined) return `${head}${page.slice(start, end)}${brought}${page.slice(end)}`
  const title = head.replace(/<title>[^<]*/, () => `<title>${escapeHtml(look.title)}`)
  const foot = page.slice(end).replace(noScript, noScriptBelowLook)
  const drawn = title.replace(emptyRoot, () => `<div id="root" class="look">${look.markup}</div>`)
  return `${scriptsHeld(drawn)}${brought}${scriptsHeld(foot)}`
}

/** No browser knows such types, and fetches nothing. */
function scriptsHeld(part: string): string {
  return part
    .replaceAll(' fetchpriority="low"', '')
    .replaceAll('<script type="module"', '<script type="later"')
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
}

const emptyRoot = '<div id="root"></div>'
const noScript = /<noscript>[\s\S]*?<\/noscript>/
const noScriptBelowLook =
  '<noscript>This page reads without JavaScript. To write or to change something, Rhubarb needs it.</noscript>'

interface PageOptions {
  readonly site: Site
  /** What the screen of whoever opens the page asks first, where that is known. */
  readonly firstAnswers?: (request: FastifyRequest) => Promise<FirstAnswers | undefined>
  /** Who draws that screen, where somebody can. */
  readonly looks?: Looks | undefined
}

/** Serves the built web client: the landing page at `/`, hashed assets for good, and the app for every other page. */
export async function servePages(
  http: FastifyInstance,
  folder: string,
  { site, firstAnswers = async () => undefined, looks }: PageOptions,
): Promise<boolean> {
  if (!['index.html', 'places.json'].every((file) => existsSync(join(folder, file)))) return false
  const [landing, app] = await Promise.all(
    ['landing.html', 'index.html'].map(async (file) =>
      filled(await readFile(join(folder, file), 'utf8'), site),
    ),
  )
  const places = z.array(place).parse(JSON.parse(await readFile(join(folder, 'places.json'), 'utf8')))
  const pageAt = pagesOf(app ?? '', places)
  const send = (reply: FastifyReply, { markup, status }: Page, control = forNow) =>
    reply.code(status).header('cache-control', control).type('text/html; charset=utf-8').send(markup)

  /** The page of a member brings what they see first, where it is known who opens it. */
  async function sendFramed(request: FastifyRequest, reply: FastifyReply, page: Page) {
    reply.header('vary', 'cookie')
    const first = await firstAnswers(request)
    if (first === undefined) return send(reply, page)
    const { member } = first
    const answers = writtenOut(first)
    const look = await looks?.draw({ path: request.url, member, answers })
    return send(reply, { ...page, markup: bringing(page.markup, member, answers, look) }, forMember)
  }

  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.html.*', '**/*.br', '**/*.gz', '**/.vite/**', 'places.json'],
    setHeaders: (response, path) => {
      response.header(
        'cache-control',
        path.startsWith(join(folder, 'assets'))
          ? forGood
          : alwaysAsked.test(path)
            ? forNow
            : 'public, max-age=3600',
      )
      // Mail programs in a browser show these from another origin.
      if (path.startsWith(join(folder, 'mail')))
        response.header('cross-origin-resource-policy', 'cross-origin')
    },
  })
  http.get('/', (_request, reply) => send(reply, { markup: landing ?? '', status: 200, framed: false }))
  http.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/^\/(api|assets)(\/|$)/.test(path) || /\.\w{1,8}$/.test(path)) return reply.callNotFound()
    const page = pageAt(path)
    return page.framed ? sendFramed(request, reply, page) : send(reply, page)
  })
  return true
}
