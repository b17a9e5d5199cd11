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

const place = z.object({
  path: z.string(),
  scripts: z.array(z.string()),
  styles: z.array(z.string()),
})
type Place = z.output<typeof place>

interface Page {
  readonly markup: string
  readonly status: 200 | 404
}

/**
 * The app's page for a path. Its head names what the screen there is made of, so that all of it is fetched at once. Where
 * there is no screen, the app says so, and so does the status.
 */
function pagesOf(app: string, places: readonly Place[]): (path: string) => Page {
  const pages = places.map(({ path, scripts, styles }) => {
    const links = [
      ...styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
      ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
    ].filter((link) => !app.includes(link.slice(link.indexOf('href='))))
    const markup = app.replace('</head>', () => `${links.join('')}</head>`)
    // The router reads addresses so: in any case of letters, with or without a slash at the end.
    return {
      path: new RegExp(path, 'i'),
      page: { markup, status: 200 } as const,
    }
  })
  return (path) => {
    const plain = path.replace(/(?<=.)\/+$/, '')
    return pages.find((one) => one.path.test(plain))?.page ?? { markup: app, status: 404 }
  }
}

interface PageOptions {
  readonly site: Site
}

/** Serves the built web client: the landing page at `/`, hashed assets for good, and the app for every other page. */
export async function servePages(
  http: FastifyInstance,
  folder: string,
  { site }: PageOptions,
): Promise<boolean> {
  if (!['index.html', 'places.json'].every((file) => existsSync(join(folder, file)))) return false
  const [landing, app] = await Promise.all(
    ['landing.html', 'index.html'].map(async (file) =>
      filled(await readFile(join(folder, file), 'utf8'), site),
    ),
  )
  const places = z.array(place).parse(JSON.parse(await readFile(join(folder, 'places.json'), 'utf8')))
  const pageAt = pagesOf(app ?? '', places)
  const send = (reply: FastifyReply, { markup, status }: Page) =>
    reply.code(status).header('cache-control', forNow).type('text/html; charset=utf-8').send(markup)

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
  http.get('/', (_request, reply) => send(reply, { markup: landing ?? '', status: 200 }))
  http.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (/^\/(api|assets)(\/|$)/.test(path) || /\.\w{1,8}$/.test(path)) return reply.callNotFound()
    return send(reply, pageAt(path))
  })
  return true
}
