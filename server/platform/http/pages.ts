import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

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
/** What tells of a new version. */
const alwaysAsked = /sw\.js$|\.webmanifest$/

const preload = z.object({ path: z.string(), scripts: z.array(z.string()), styles: z.array(z.string()) })
type Preload = z.output<typeof preload>

/** Without them pages come as well, only later. */
async function readPreloads(folder: string): Promise<Preload[]> {
  const file = join(folder, 'preloads.json')
  return existsSync(file) ? z.array(preload).parse(JSON.parse(await readFile(file, 'utf8'))) : []
}

/** The app's page for a path. Its head names what the screen there is made of, so that all of it is fetched at once. */
function withPreloads(app: string, preloads: readonly Preload[]): (path: string) => string {
  const pages = preloads.map(({ path, scripts, styles }) => {
    const links = [
      ...styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
      ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    ].filter((link) => !app.includes(link.slice(link.indexOf('href='))))
    return { path: new RegExp(path), page: app.replace('</head>', () => `${links.join('')}</head>`) }
  })
  return (path) => pages.find((page) => page.path.test(path))?.page ?? app
}

/** Serves the built web client: the landing page at `/`, hashed assets for good, and the app for every other page. */
export async function servePages(http: FastifyInstance, folder: string, site: Site): Promise<boolean> {
  if (!existsSync(join(folder, 'index.html'))) return false
  const [landing, app] = await Promise.all(
    ['landing.html', 'index.html'].map(async (file) =>
      filled(await readFile(join(folder, file), 'utf8'), site),
    ),
  )
  const pageAt = withPreloads(app ?? '', await readPreloads(folder))
  const page = (reply: FastifyReply, markup: string | undefined) =>
    reply.header('cache-control', forNow).type('text/html; charset=utf-8').send(markup)

  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.html.*', '**/*.br', '**/*.gz', '**/.vite/**', 'preloads.json'],
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
  http.get('/', (_request, reply) => page(reply, landing))
  http.get('/*', (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/^\/(api|assets)(\/|$)/.test(path) || /\.\w{1,8}$/.test(path)) return reply.callNotFound()
    return page(reply, pageAt(path))
  })
  return true
}
