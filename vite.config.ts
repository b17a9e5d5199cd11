import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './web/build/compressed.ts'
import { landingPage } from './web/build/landing-page.ts'

const web = fileURLToPath(new URL('./web', import.meta.url))
const server = 'http://localhost:3000'

export default defineConfig({
  root: web,
  publicDir: false,
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: `${web}/routes`,
      generatedRouteTree: `${web}/route-tree.gen.ts`,
      autoCodeSplitting: true,
      // A loader comes with its screen: contract, client and query cache stay out of what every visit loads.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent']],
      },
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    landingPage(web),
    compressed(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'baseline-widely-available',
    // A drawing is fetched once and kept; inside a script or a style sheet it would be carried by every visit.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [`${web}/index.html`, `${web}/landing.html`],
      checks: { bundlerTimings: false },
    },
  },
  server: {
    proxy: {
      // Calls, not the sources in web/api.
      '^/api/(?!.*\\.tsx?)': server,
      '/socket.io': { target: server, ws: true },
    },
  },
})
