import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

const { projects: _, ...shared } = config

/** `npm run test:pseudo-locale`: all screens in English with accents, brackets and more words. */
export default defineConfig({
  ...shared,
  testMatch: 'pseudo-locale.screens.ts',
  globalSetup: './e2e/pseudo-locale.ts',
  timeout: 900_000,
})
