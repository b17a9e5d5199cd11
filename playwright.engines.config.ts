import { defineConfig } from '@playwright/test'
import { type EngineName, engineNames } from './e2e/engines/driver.ts'
import config from './playwright.config.ts'

/** `npm run test:long -- --only=engines`: the journeys in every engine whose packages are installed. */
export default defineConfig<object, { engineName: EngineName }>({
  ...config,
  testDir: 'e2e/engines',
  workers: 2,
  retries: 0,
  projects: engineNames.map((engineName) => ({ name: engineName, use: { engineName } })),
})
