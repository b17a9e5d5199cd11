import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { plainContract } from './plain-contract.ts'
import { soleScript } from './sole-script.ts'

const marked = /<script type="module" data-first src="\.\/([\w-]+\.ts)"><\/script>/
const place = /<!-- first: ([\w-]+\.ts) -->/

/** A page's script that is marked `data-first` is built alone, shares nothing with the app and runs before the first paint. */
export function firstScripts(root: string, entries: readonly string[]): Plugin {
  const files = new Map<string, string>()
  return {
    name: 'rhubarb:first-scripts',
    apply: 'build',
    enforce: 'post',
    async buildStart() {
      for (const entry of entries) {
        const source = await soleScript(root, entry, { plugins: [plainContract(root)] })
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
        const fileName = `assets/${entry.replace('.ts', '')}-${hash}.js`
        this.emitFile({ type: 'asset', fileName, source })
        files.set(entry, fileName)
      }
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(marked, '<!-- first: $1 -->'),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const page of Object.values(bundle)) {
          if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
          page.source = String(page.source).replace(
            place,
            (_, entry: string) => `<script src="/${files.get(entry)}"></script>`,
          )
        }
      },
    },
  }
}
