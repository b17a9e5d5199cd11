import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './web/build/compressed.ts'
import { firstScripts } from './web/build/first-scripts.ts'
import { landingPage } from './web/build/landing-page.ts'
import { places } from './web/build/places.ts'
import { plainContract } from './web/build/plain-contract.ts'
import { routes } from './web/build/routes.ts'
import { serviceWorker } from './web/build/service-worker.ts'

const web = fileURLToPath(new URL('./web', import.meta.url))
const server = 'http://localhost:3000'

export default defineConfig({
  root: web,
  publicDir: 'public',
  plugins: [
    routes(web, { writeTree: true }),
    react(),
    plainContract(web),
    firstScripts(web, ['landing.ts']),
    landingPage(web),
    places(web),
    serviceWorker(web),
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
      output: {
        // A few files that every screen shares, rather than dozens of a few hundred bytes each: a request costs as much.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|react-store|store))\//,
            },
            // What guests' screens and the first frame of members' are made of; the rest of the kit comes with members' screens.
            {
              name: 'kit',
              test: /web\/(?:styles\/|ui\/(?:banner|button|button-look|class-names|empty|error-state|field|icon|page|painted|place-link|answers|tab-title|tabs|visually-hidden|when-idle)\.|api\/(?:api-error|first-answers)|features\/(?:auth\/(?:stored-login|forget-seen)|offline\/version|listings\/market-search))|contract\/(?:address|constants|sentences)|vite\/preload-helper|rolldown\/runtime/,
            },
            // What forms ask before they send.
            { name: 'rules', test: /node_modules\/zod\/|\/contract\/[\w-]+\.ts$/ },
            {
              name: 'forms',
              test: /node_modules\/react-hook-form\/|web\/(?:api\/(?:form-failure|late-rules)|features\/(?:shell\/packet|auth\/auth-))/,
            },
            // The query cache and what is asked of the server, the kit, and what the screens that members come to first have in
            // common. No screen opens with a dialog.
            {
              name: 'members',
              test: /node_modules\/@tanstack\/(?:react-query|query-core)\/|\/contract\/.*\?plain|web\/(?:api\/(?:client|query-client|next-cursor)|realtime\/connection|ui\/(?!(?:\w+-)*dialog\.)|look\/take-over|site\.|art\/(?:empty|logo)\/|features\/(?:shell\/(?:back|footer|member|nav|use)|notifications\/(?:bell|notification-queries)|messages\/(?:message-queries|message-time)|friends\/friend-queries|matches\/match-queries|wants\/want-queries|profile\/(?:profile|preferences)-query|members\/public-member-query|sellers\/(?:place|username)|listings\/(?:categor|crop-art|listing-(?:card|grid|plate|queries|state)|picture-sizes|price)))/,
            },
            // What is fetched once the first screen of a member stands.
            {
              name: 'afterwards',
              test: /node_modules\/idb\/|web\/(?:api\/(?:seen|trusted)|features\/(?:offline\/(?!version)|auth\/follow-realtime|push\/(?!push-switch)|friends\/follow-friends|messages\/live-messages|notifications\/live))/,
            },
            { name: 'dialogs', test: /web\/ui\// },
          ],
        },
      },
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
