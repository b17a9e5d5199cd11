import { fileURLToPath } from 'node:url'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { serviceWorker } from './web/worker/vite-plugin.ts'

const web = fileURLToPath(new URL('./web', import.meta.url))

export default defineConfig({
  root: web,
  plugins: [
    tanstackStart({
      srcDirectory: '.',
      router: {
        generatedRouteTree: 'route-tree.gen.ts',
        // Bundles each loader with its screen.
        codeSplittingOptions: {
          defaultBehavior: [
            ['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent'],
          ],
        },
      },
    }),
    react(),
    serviceWorker(web),
    compression({ include: /assets\/.*\.(?:js|css|svg)$/, threshold: 1024 }),
  ],
  build: {
    target: 'baseline-widely-available',
    // Keeps drawings as files, which browsers cache. Inlined ones would enlarge every script.
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { bundlerTimings: false } },
    // One style sheet of 15 kB instead of twenty requests.
    cssCodeSplit: false,
    emptyOutDir: true,
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        manifest: true,
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules\/(?:react(?:-dom)?|scheduler|seroval|@tanstack)\// },
                { name: 'zod', test: /node_modules\/zod\// },
              ],
            },
          },
        },
      },
    },
    // Bundles all packages, so production does not install them.
    // Minified, because the bootstrap scripts are the source text of its functions.
    ssr: {
      build: { outDir: '../dist/ssr', minify: true },
      resolve: { noExternal: true },
    },
  },
})
