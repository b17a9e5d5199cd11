import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, createServer, type Plugin } from 'vite'
import { soleScript } from './sole-script.ts'

const place = '<!-- landing -->'
const moduleScript = '<script type="module" src="./landing.ts"></script>'
const sampleSite = {
  '%RHUBARB_SITE%': '{}',
  '%SUPPORT_EMAIL%': 'hello@rhubarb.example',
  '%SOCIAL_URL%': 'https://social.example',
  '%SOCIAL_NAME%': 'Instagram',
}

/**
 * Writes the front page out at build time, so that it reads without a script; in development it answers `/` with it.
 * The page's own script is built alone and runs before the first paint: no member ever sees the visitors' face of it.
 */
export function landingPage(root: string): Plugin {
  let script = ''
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
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const source = await standaloneScript(root)
      script = `assets/landing-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName: script, source })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        if (!html.includes(place)) return html
        const { preloads, body } = await markup(root)
        const page = html.replace('</head>', () => `${preloads}</head>`).replace(place, () => body)
        if (server === undefined) return page.replace(moduleScript, '<!-- script -->')
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
        page.source = String(page.source)
          .replaceAll(/\s*<(?:script[^>]* type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g, '')
          .replace('<!-- script -->', `<script src="/${script}"></script>`)
      },
    },
  }
}

/** React writes the preloads of a page's first pictures in front of it; they belong into the head. */
async function markup(root: string): Promise<{ preloads: string; body: string }> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    build: { assetsInlineLimit: 0 },
  })
  try {
    const page = await server.ssrLoadModule('/features/landing/markup.tsx')
    const { landingMarkup } = page as typeof import('../features/landing/markup.tsx')
    const written = landingMarkup()
    const preloads = /^(?:<link[^>]*>)*/.exec(written)?.[0] ?? ''
    return { preloads, body: written.slice(preloads.length) }
  } finally {
    await server.close()
  }
}

async function standaloneScript(root: string): Promise<string> {
  return soleScript(
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      build: {
        write: false,
        modulePreload: false,
        rolldownOptions: {
          input: join(root, 'landing.ts'),
          output: { format: 'iife' },
          treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
        },
      },
    }),
  )
}
