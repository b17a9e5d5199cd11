import { readdirSync } from 'node:fs'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { sourceLanguage } from './contract/languages.ts'
import { markedMessages } from './scripts/marked-messages.ts'

/** The folders with the screens of guests, which members also see. */
const guest = [
  ...['ui', 'api', 'i18n', 'routes'].map((folder) => `web/${folder}`),
  ...[
    'auth',
    'drafts',
    'invitations',
    'landing',
    'listing-reminders',
    'listings',
    'mails',
    'members',
    'offline',
    'page-head',
    'shell',
    'site-pages',
  ].map((feature) => `web/features/${feature}`),
]
const tests = '**/*.test.{ts,tsx}'

export default defineConfig({
  sourceLocale: sourceLanguage,
  // Also languages that `contract/languages.ts` does not offer yet. English stands in the code, so it has no catalog.
  locales: readdirSync('locales'),
  format: formatter({ lineNumbers: false }),
  extractors: [markedMessages, createSwcExtractor()],
  // The texts use the language of the page: on the server, of the request.
  runtimeConfigModule: {
    i18n: ['#web/i18n/i18n.ts', 'i18n'],
    Trans: ['#web/i18n/trans.tsx', 'Trans'],
  },
  catalogs: [
    { path: 'locales/{locale}/guest', include: guest, exclude: [tests] },
    {
      path: 'locales/{locale}/members',
      include: ['web/features'],
      exclude: [tests, ...guest.map((folder) => `${folder}/**`)],
    },
    { path: 'locales/{locale}/contract', include: ['contract'], exclude: [tests] },
    { path: 'locales/{locale}/server', include: ['server'], exclude: [tests] },
  ],
})
