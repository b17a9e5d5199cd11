import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { languages, sourceLanguage } from './contract/languages.ts'
import { markedMessages } from './scripts/marked-messages.ts'

export default defineConfig({
  sourceLocale: sourceLanguage,
  // English stands in the code, so it has no catalog.
  locales: Object.keys(languages).filter((language) => language !== sourceLanguage),
  format: formatter({ lineNumbers: false }),
  extractors: [markedMessages],
  catalogs: [
    { path: 'locales/{locale}/contract', include: ['contract'], exclude: ['**/*.test.ts'] },
    { path: 'locales/{locale}/server', include: ['server'], exclude: ['**/*.test.ts'] },
  ],
})
