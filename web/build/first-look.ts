import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { plainContract } from './plain-contract.ts'
import { routes } from './routes.ts'

const assets = /["'`](\/assets\/[^"'`]+)["'`]/g

/**
 * Builds the app a second time, beside what is served, for the server to draw first looks with: the same components, whose styles
 * and pictures go by the same names.
 */
export function firstLook(root: string): Plugin {
  return {
    name: 'rhubarb:first-look',
    apply: 'build',
    enforce: 'post',
    async writeBundle(_options, bundle) {
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        plugins: [routes(root, { writeTree: false }), react(), plainContract(root)],
        ssr: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          ssr: `${root}/look/look.tsx`,
          outDir: '../dist/look',
          emptyOutDir: true,
          assetsInlineLimit: 0,
          target: 'node24',
        },
      })
      const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
      for (const chunk of chunks) {
        if (chunk.type !== 'chunk') continue
        for (const [, path = ''] of chunk.code.matchAll(assets))
          if (!(path.slice(1) in bundle))
            throw new Error(`A first look would name ${path}, which is not there`)
      }
    },
  }
}
