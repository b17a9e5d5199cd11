import type { Plugin } from 'vite'
import type { Built } from '../worker/built.ts'
import { soleScript } from './sole-script.ts'

/**
 * Builds the service worker last, when it is known what it has to keep. It is one classic script at an address that stays:
 * a worker rules what lies below its own address.
 */
export function serviceWorker(root: string): Plugin {
  return {
    name: 'rhubarb:service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle)
        const entry = files.find((file) => file.type === 'chunk' && file.isEntry && file.name === 'index')
        if (entry === undefined) throw new Error('The app has no first script')
        const assets = files.map(({ fileName }) => fileName).filter((name) => name.startsWith('assets/'))
        const built: Built = {
          entry: `/${entry.fileName}`,
          assets: assets.map((name) => `/${name}`).sort(),
        }
        const define = { __BUILT__: JSON.stringify(built) }
        const source = await soleScript(root, 'worker/sw.ts', { define })
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}
