import { join } from 'node:path'
import { defineConfig } from 'vite'
import { translations } from './web/i18n/vite-plugin.ts'
import { cssOptions } from './web/styles/vite-options.ts'

const web = join(import.meta.dirname, 'web')

/** Builds the component gallery for e2e/components.spec.ts. */
export default defineConfig({
  root: web,
  css: cssOptions,
  logLevel: 'error',
  plugins: [translations()],
  build: {
    outDir: join(import.meta.dirname, '.cache', 'components'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { input: join(web, 'components', 'index.html') },
  },
})
