import type { Plugin, Rolldown } from 'vite'

/** What a page fetches first, by its address: written for the server, which says so in the page's head. */
export interface Preload {
  /** Of the path: a regular expression. */
  readonly path: string
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * Without this a screen's scripts are only asked for when those before them have run. Written as `preloads.json`, the most
 * particular path first.
 */
export function preloads(): Plugin {
  return {
    name: 'rhubarb:preloads',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
        const screenOf = (route: string) =>
          chunks.find(({ facadeModuleId }) => facadeModuleId?.includes(`/routes/${route}?`))
        const frame = screenOf('_members.tsx')
        const found = chunks.flatMap(({ facadeModuleId }): Preload[] => {
          const route = /\/routes\/(.+\.tsx)\?/.exec(facadeModuleId ?? '')?.[1]
          const screen = route === undefined ? undefined : screenOf(route)
          if (route === undefined || screen === undefined || route === '_members.tsx' || route === '$.tsx')
            return []
          const isMembers = route.startsWith('_members/')
          const all = withImports(isMembers && frame ? [frame, screen] : [screen], byName)
          return [
            { path: pathOf(route), scripts: all.map(({ fileName }) => fileName), styles: stylesOf(all) },
          ]
        })
        found.sort((one, other) => Number(one.path.includes('[^')) - Number(other.path.includes('[^')))
        this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(found) })
      },
    },
  }
}

function withImports(
  first: readonly Rolldown.OutputChunk[],
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
