import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** An address that the app has a screen for, or leads on from: written for the server. */
export interface Place {
  /** A regular expression of its path. */
  readonly path: string
  /** What its page fetches first, and says so in its head. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * Without this a screen's scripts are only asked for when those before them have run, and nobody but the app knows which
 * addresses there are. Written as `places.json`, the most particular path first.
 */
export function places(root: string): Plugin {
  return {
    name: 'rhubarb:places',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
        const screenOf = (route: string) =>
          chunks.find(({ facadeModuleId }) => facadeModuleId?.includes(`/routes/${route}?`))
        const found = (await routeFiles(join(root, 'routes'))).map((route): Place => {
          const framed = route.startsWith('_members/')
          const first = [framed ? screenOf('_members.tsx') : undefined, screenOf(route)]
          const all = withImports(first, byName)
          return {
            path: pathOf(route),
            scripts: all.map(({ fileName }) => fileName),
            styles: stylesOf(all),
          }
        })
        found.sort((one, other) => Number(one.path.includes('[^')) - Number(other.path.includes('[^')))
        this.emitFile({ type: 'asset', fileName: 'places.json', source: JSON.stringify(found) })
      },
    },
  }
}

/** Every file of a route with an address of its own. */
async function routeFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => /^(?:_members\/)?[a-z][\w.$-]*\.tsx$/.test(file)).sort()
}

function withImports(
  first: readonly (Rolldown.OutputChunk | undefined)[],
  byName: ReadonlyMap<string, Rolldown.OutputChunk>,
): readonly Rolldown.OutputChunk[] {
  const all = new Set<Rolldown.OutputChunk>()
  const take = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || all.has(chunk)) return
    all.add(chunk)
    for (const name of chunk.imports) take(byName.get(name))
  }
  for (const chunk of first) take(chunk)
  return [...all]
}

function stylesOf(chunks: readonly Rolldown.OutputChunk[]): string[] {
  return [...new Set(chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))]
}

/** As the router reads the names of its files: dots part the path, `$` stands for anything, `_` and `index` say nothing. */
function pathOf(route: string): string {
  const parts = route
    .replace(/^_members\//, '')
    .replace(/\.tsx$/, '')
    .split('.')
    .filter((part) => part !== 'index')
  return `^/${parts.map((part) => (part.startsWith('$') ? '[^/]+' : part.replace(/_$/, ''))).join('/')}$`
}
