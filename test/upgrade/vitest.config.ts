import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The tests of another version (its folder is given as the root), on the database as this version prepares it.
export default defineConfig({
  test: {
    include: ['server/features/**/*.test.ts', 'server/platform/realtime.test.ts'],
    globalSetup: join(import.meta.dirname, '..', 'global-setup.ts'),
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
