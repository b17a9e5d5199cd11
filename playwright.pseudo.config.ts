import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** Visits all screens in a pseudo-locale: English with accents, brackets and more words. `npm run test:long` runs it. */
export default defineConfig({
  ...config,
  testMatch: 'pseudo-locale.screens.ts',
  globalSetup: './e2e/pseudo-locale.ts',
  timeout: 900_000,
})
