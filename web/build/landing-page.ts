import type { Plugin } from 'vite'
import { atBuild } from './at-build.ts'

const place = '<!-- landing -->'
const sampleSite = {
  '%RHUBARB_SITE%': '{}',
  '%SUPPORT_EMAIL%': 'hello@rhubarb.example',
  '%SOCIAL_URL%': 'https://social.example',
  '%SOCIAL_NAME%': 'Instagram',
}

/**
 * Writes the front page out at build time, so that it reads without the app; in development it answers `/` with it.
 */
export function landingPage(root: string): Plugin {
  return {
    name: 'rhubarb:landing-page',
    enforce: 'post',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url === '/') request.url = '/landing.html'
        next()
      })
    },
    // The page is written out, so no script of it names its classes. Their styles are wanted all the same.
    transform: {
      order: 'post',
      filter: { id: /\.module\.css$/ },
      handler: () => ({ moduleSideEffects: 'no-treeshake' }),
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        if (!html.includes(place)) return html
        const { preloads, body } = await markup(root)
        const page = html.replace('</head>', () => `${preloads}</head>`).replace(place, () => body)
        if (server === undefined) return page
        return Object.entries(sampleSite).reduce(
          (text, [token, value]) => text.replaceAll(token, value),
          page,
        )
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['landing.html']
        if (page?.type !== 'asset') return
        // What is left of the styles' own scripts is the names of classes, which the page has already.
        page.source = String(page.source).replaceAll(
          /\s*<(?:script[^>]* type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g,
          '',
        )
      },
    },
  }
}

/** React writes the preloads of a page's first pictures in front of it; they belong into the head. */
async function markup(root: string): Promise<{ preloads: string; body: string }> {
  const written = await atBuild<typeof import('../features/landing/markup.tsx')>(
    root,
    '/features/landing/markup.tsx',
    ({ landingMarkup }) => landingMarkup(),
  )
  const preloads = /^(?:<link[^>]*>)*/.exec(written)?.[0] ?? ''
  return { preloads, body: written.slice(preloads.length) }
}
