import { join } from 'node:path'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { serviceWorker } from './web/worker/vite-plugin.ts'

const web = join(import.meta.dirname, 'web')

// Joins code that many screens share by layer, because HTTP/1.1 loads six files at a time.
const chunks = [
  { name: 'vendor', test: /node_modules\/(?:react(?:-dom)?|scheduler|@tanstack)\// },
  // Without it, the imports of the entry would be in the groups below, and the login screen would load these.
  { name: 'entry', tags: ['$initial' as const] },
  { name: 'zod', test: /node_modules\/zod\// },
  { name: 'ui', test: /web\/ui\//, minShareCount: 6 },
  { name: 'contract', test: /\/contract\//, minShareCount: 4 },
  // Without the dependencies: the login screen needs some of these, but not the contract.
  {
    name: 'features',
    test: /web\/(?:features|login)\//,
    minShareCount: 7,
    includeDependenciesRecursively: false,
  },
]

export default defineConfig({
  root: web,
  plugins: [
    tanstackStart({
      srcDirectory: '.',
      router: {
        generatedRouteTree: 'route-tree.gen.ts',
        // Bundles each loader with its screen.
        codeSplittingOptions: {
          defaultBehavior: [['loader', 'component', 'pendingComponent', 'errorComponent']],
        },
      },
    }),
    react(),
    serviceWorker(web),
    compression({ include: /assets\/.*\.(?:js|css|svg)$/, threshold: 1024 }),
  ],
  build: {
    // Keeps drawings as files, which browsers cache. Inlined ones would enlarge every script.
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { bundlerTimings: false } },
    // One style sheet instead of twenty requests.
    cssCodeSplit: false,
    emptyOutDir: true,
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        manifest: true,
        rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
      },
    },
    // Bundles all packages, so production does not install them.
    // Minified, because the bootstrap scripts are the source text of its functions.
    ssr: { build: { outDir: '../dist/ssr', minify: true }, resolve: { noExternal: true } },
  },
})
