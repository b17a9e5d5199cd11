import { defineConfig } from 'vitest/config'
import { sharedOptions } from './vitest.config.ts'

/** `npm run test:hostile`: the long forms of tests of `npm test`. `-- requests` runs the files with this in their name. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup: 'test/global-setup.ts',
    include: ['test/**/*.long.ts'],
    maxWorkers: 1,
    testTimeout: 3_600_000,
  },
})
