import type { FastifyInstance } from 'fastify'

const description =
  'A free market for neighbors who garden: list what you grow, find what you want, talk it over.'

/** Serves the web app manifest with the name of the site, which installed apps read again. `sentence` may be empty. */
export function serveManifest(http: FastifyInstance, site: () => { name: string; sentence: string }): void {
  http.get('/manifest.webmanifest', (_request, reply) => {
    const { name, sentence } = site()
    return reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify({ ...manifest, name, short_name: name, description: sentence || description }))
  })
}

const manifest = {
  id: '/',
  lang: 'en',
  start_url: '/my-listings',
  scope: '/',
  display: 'standalone',
  theme_color: '#6B1A30',
  background_color: '#FFFFFF',
  categories: ['food', 'lifestyle', 'shopping'],
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Marketplace', url: '/listings' },
    { name: 'New listing', url: '/listings/new' },
    { name: 'Messages', url: '/messages' },
  ],
} as const
