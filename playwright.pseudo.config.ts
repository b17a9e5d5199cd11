import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

/** `npm run test:pseudo-locale`: all screens in English with accents, brackets and more words. */
export default defineConfig({
  ...config,
  testMatch: 'pseudo-locale.screens.ts',
  globalSetup: './e2e/pseudo-locale.ts',
  timeout: 900_000,
})
