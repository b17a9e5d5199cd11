import { defineConfig } from '@playwright/test'
import config from './playwright.config.ts'

const { grepInvert: _, projects: __, ...shared } = config

/** `npm run test:screens`: the browser tests that are too long for `npm test`. */
export default defineConfig({
  ...shared,
  grep: /@long/,
  timeout: 600_000,
})
