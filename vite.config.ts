import { join } from 'node:path'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { contractWithoutSchemas } from './web/api/vite-plugin.ts'
import { translations } from './web/i18n/vite-plugin.ts'
import { cssOptions } from './web/styles/vite-options.ts'
import { serviceWorker } from './web/worker/vite-plugin.ts'

const web = join(import.meta.dirname, 'web')

// Joins code that many screens share, because every file costs a request. A screen's own code stays apart.
const chunks = [
  { name: 'vendor', test: /node_modules\/(?:react(?:-dom)?|scheduler|@tanstack)\// },
  // Without it, the imports of the entry would be in the groups below, and the login screen would load these.
  { name: 'entry', tags: ['$initial' as const] },
  // 13 kB that screens without a form do not load.
  {
    name: 'forms',
    test: /node_modules\/(?:react-hook-form|@hookform)\/|web\/(?:ui\/form|features\/drafts\/use-submit)/,
    includeDependenciesRecursively: false,
  },
  // Loaded with the schema of a form.
  {
    name: 'schemas',
    test: /node_modules\/zod\/|fields\.ts\?schemas$/,
    minShareCount: 4,
    includeDependenciesRecursively: false,
  },
  // Without the endpoints of the desk, which few members see.
  {
    name: 'contract',
    test: /\/contract\/(?!desk-members\.ts|desk\.ts|figures\.ts|health\.ts|mail-queue\.ts|report-cases\.ts|suspensions\.ts)[\w-]+\.ts$/,
    minShareCount: 4,
    includeDependenciesRecursively: false,
  },
  { name: 'ui', test: /web\/(?:ui|login|api|context)\//, minShareCount: 6 },
  // Code of the screens of members. Without its dependencies, because the login screen needs some of these.
  {
    name: 'members',
    test: /web\/(?:features\/(?!auth\/|desk\/|drafts\/)|realtime|art)|node_modules\/(?:uuid|p-limit|yocto-queue)\//,
    minShareCount: 4,
    includeDependenciesRecursively: false,
  },
]

export default defineConfig(({ command }) => ({
  root: web,
  css: cssOptions,
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
    translations(),
    react(),
    contractWithoutSchemas(),
    serviceWorker(web),
    compression({ include: /assets\/.*\.(?:js|css|svg|json)$/, threshold: 1024 }),
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
    ssr: {
      // Minified, because the bootstrap scripts are the source text of its functions.
      build: { outDir: '../dist/ssr', minify: true },
      // A build bundles all packages, so production does not install them.
      resolve: { noExternal: command === 'build' || [] },
    },
  },
}))
