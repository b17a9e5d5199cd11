import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { pagePolicy } from './content-security-policy.ts'
import type { Renderer, WebClient } from './pages.ts'

const immutable = 'public, max-age=31536000, immutable'
/** The file that must be revalidated, because it indicates a new version. */
const revalidated = /sw\.js$/

/**
 * Returns the web client that `vite build` has written.
 * @param folder the static files
 * @param renderer the module that renders pages
 * @returns undefined if it is not built
 */
export async function builtClient(folder: string, renderer: string): Promise<WebClient | undefined> {
  if (!existsSync(renderer)) return undefined
  const { renderPage }: Renderer = await import(pathToFileURL(renderer).href)
  return { renderPage, policy: pagePolicy, serveFiles: (http) => serveFiles(http, folder) }
}

async function serveFiles(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/.vite/**'],
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'))
      const otherFiles = revalidated.test(path) ? 'no-cache' : 'public, max-age=3600'
      response.header('cache-control', isHashed ? immutable : otherFiles)
      // Web mail programs show these images from another origin.
      if (path.startsWith(join(folder, 'mail')))
        response.header('cross-origin-resource-policy', 'cross-origin')
    },
  })
}
