import { fileURLToPath } from 'node:url'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { serviceWorker } from './web/worker/vite-plugin.ts'

const web = fileURLToPath(new URL('./web', import.meta.url))

export default defineConfig({
  root: web,
  publicDir: 'public',
  plugins: [
    tanstackStart({
      srcDirectory: '.',
      router: {
        generatedRouteTree: 'route-tree.gen.ts',
        quoteStyle: 'single',
        semicolons: false,
        // A loader comes with its screen.
        codeSplittingOptions: {
          defaultBehavior: [
            ['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent'],
          ],
        },
      },
      importProtection: { enabled: false },
    }),
    react(),
    serviceWorker(web),
    compression({ include: /assets\/.*\.(?:js|css|svg)$/, threshold: 1024 }),
  ],
  build: {
    target: 'baseline-widely-available',
    // A drawing is fetched once and kept; inside a script or a style sheet it would be carried by every visit.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        manifest: true,
        rolldownOptions: {
          output: {
            // A few files that many screens share, rather than dozens of a few hundred bytes each.
            codeSplitting: {
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules\/(?:react|react-dom|scheduler|seroval|@tanstack\/[\w-]+)\//,
                },
                { name: 'zod', test: /node_modules\/zod\// },
                // Without the contract, which would bring zod to every screen.
                { name: 'shared', test: (id: string) => id.startsWith(`${web}/`), minShareCount: 20 },
              ],
            },
          },
        },
      },
    },
    // Everything is in the bundle, so production needs none of these packages.
    // Minified, because the bootstrap scripts are the source text of its functions.
    ssr: {
      build: { outDir: '../dist/ssr', minify: true },
      resolve: { noExternal: true },
    },
  },
})
