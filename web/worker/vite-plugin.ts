import { build, type Plugin, type Rolldown } from 'vite'
import type { Built } from './built.ts'

/**
 * Builds the service worker after the client's files are known. It is one classic script at a fixed URL at the root, because a
 * worker controls the paths below its own.
 */
export function serviceWorker(root: string): Plugin {
  return {
    name: 'rhubarb:service-worker',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle)
        const entry = files.find((file) => file.type === 'chunk' && file.isEntry)
        if (entry === undefined) throw new Error('The build has no entry chunk')
        const assets = files.map(({ fileName }) => fileName).filter((name) => name.startsWith('assets/'))
        const built: Built = {
          entry: `/${entry.fileName}`,
          assets: assets.map((name) => `/${name}`).sort(),
          catalogs: catalogsIn(files),
        }
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await buildWorker(root, built) })
      },
    },
  }
}

/** Returns the paths of the catalogs by language. */
function catalogsIn(files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Built['catalogs'] {
  const catalogs: Record<string, string[]> = {}
  for (const file of files) {
    const language =
      file.type === 'chunk' && /\/locales\/([\w-]+)\/\w+\.po$/.exec(file.facadeModuleId ?? '')?.[1]
    if (language) catalogs[language] = [...(catalogs[language] ?? []), `/${file.fileName}`]
  }
  return catalogs
}

async function buildWorker(root: string, built: Built): Promise<string> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: { __BUILT__: JSON.stringify(built) },
    build: {
      write: false,
      rolldownOptions: { input: `${root}/worker/sw.ts`, output: { format: 'iife' } },
    },
  })
  const chunk = [output]
    .flat()
    .flatMap((result) => ('output' in result ? result.output : []))
    .find(({ type }) => type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error('The service worker was not built')
  return chunk.code
}
