import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'

const place = '<!-- landing -->'
const sampleSite = {
  '%RHUBARB_SITE%': '{}',
  '%SUPPORT_EMAIL%': 'hello@rhubarb.example',
  '%SOCIAL_URL%': '#',
  '%SOCIAL_NAME%': 'Instagram',
}

/**
 * Writes the front page out at build time, so that it reads without a script. In development it answers `/` with it.
 * Its own script runs before the page is painted: whoever is logged in never sees the page of a stranger.
 */
export function landingPage(root: string): Plugin {
  return {
    name: 'rhubarb:landing-page',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url === '/') request.url = '/landing.html'
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        if (!html.includes(place)) return html
        const { module } = await runnerImport<typeof import('../features/landing/markup.tsx')>(
          join(root, 'features/landing/markup.tsx'),
          { root, configFile: false, logLevel: 'warn' },
        )
        const page = html.replace(place, module.landingMarkup())
        if (server === undefined) return page
        return Object.entries(sampleSite).reduce(
          (text, [token, value]) => text.replaceAll(token, value),
          page,
        )
      },
    },
    generateBundle(_options, bundle) {
      const page = bundle['landing.html']
      const script = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'landing')
      if (page?.type !== 'asset' || script?.type !== 'chunk') return
      if (script.imports.length > 0) this.error('The script of the front page must stand alone')
      page.source = String(page.source).replace(
        /<script type="module" crossorigin (src="[^"]+")>/,
        '<script $1>',
      )
    },
  }
}
