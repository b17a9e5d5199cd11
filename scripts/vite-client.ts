import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createServer, isRunnableDevEnvironment, type ViteDevServer } from 'vite'
import { policyWith } from '#server/platform/http/content-security-policy.ts'
import type { Renderer, WebClient } from '#server/platform/http/pages.ts'

const root = join(import.meta.dirname, '..')

/** Paths that the node serves itself. `/api/client.ts` is a module of `web/api`. */
const ownPaths = /^\/(?:api|socket\.io|outbox|healthz|readyz)(?:[/?](?!.*\.ts(?:\?|$))|$)/

/**
 * Returns a web client whose modules Vite transforms when they are asked for and replaces in the open page when they change.
 * @param socketPort the port on which Vite tells pages what has changed
 */
export async function openViteClient(socketPort: number): Promise<WebClient> {
  const vite = await createServer({
    configFile: join(root, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { port: socketPort } },
  })
  return {
    serveFiles: (http) => serveModules(http, vite),
    renderPage: async (request, page) => {
      const { renderPage }: Renderer = await importForServer(vite, '/server.ts')
      return withImports(await renderPage(request, page))
    },
    // Vite's client adds `<style>` elements, shows errors with `innerHTML` and connects to a port of its own, in a worker after a restart.
    policy: (nonce) =>
      policyWith({
        scriptSrc: ["'self'", `'nonce-${nonce}'`],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'", `ws://localhost:${socketPort}`],
        workerSrc: ["'self'", 'blob:'],
        requireTrustedTypesFor: [],
        trustedTypes: ["'allow-duplicates'", '*'],
      }),
  }
}

/** Lets Vite answer the requests for modules and other files. Closes Vite with the node. */
async function serveModules(http: FastifyInstance, vite: ViteDevServer): Promise<void> {
  http.addHook('onRequest', (request, reply, done) => {
    if (ownPaths.test(request.url)) return done()
    vite.middlewares(request.raw, reply.raw, done)
  })
  http.addHook('onClose', () => vite.close())
}

async function importForServer(vite: ViteDevServer, path: string) {
  const { ssr } = vite.environments
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite has no environment that runs server code')
  return ssr.runner.import(path)
}

/** Restores `import()` in the bootstrap script, whose source text Vite has transformed for the server. */
async function withImports(response: Response): Promise<Response> {
  const html = await response.text()
  const { status, headers } = response
  return new Response(html.replaceAll('__vite_ssr_dynamic_import__(', 'import('), { status, headers })
}
