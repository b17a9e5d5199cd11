import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noProcessEnv: a run that has one already says so here
const postgresUrl = process.env.POSTGRES_URL

/** A run for a few files has a PostgreSQL for them; a run of its own starts one. */
const database =
  postgresUrl === undefined
    ? { globalSetup: join(import.meta.dirname, '..', 'global-setup.ts') }
    : { provide: { postgresUrl }, isolate: false }

// The tests of another version (its folder is given as the root), on the database as this version prepares it.
export default defineConfig({
  test: {
    include: ['server/features/**/*.test.ts', 'server/platform/realtime.test.ts'],
    ...database,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
