import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserArgs } from './scripts/browser.mjs'
import { translations } from './web/i18n/vite-plugin.ts'
import { cssOptions } from './web/styles/vite-options.ts'

// biome-ignore lint/style/noProcessEnv: the caller chooses the browser
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export const sharedOptions = {
  pool: 'forks',
  // Generous, so that a busy machine is no failure.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
} as const

/** Slow files that run first. Vitest sorts by file size, which does not reflect their duration. */
const longFiles = [
  'test/trades/random-trades.long.ts',
  'test/hostile/slow.long.ts',
  'test/replica/replica.long.ts',
  'test/hostile/load.long.ts',
  'test/failures/failures.test.ts',
  'test/access/access.test.ts',
  'server/backup/backup.test.ts',
  'server/platform/images/decoder-pool.test.ts',
  'server/features/listing-reminders/reminders.test.ts',
  'server/features/trades/endings.test.ts',
  'server/features/matches/notification-schedule.test.ts',
  'server/features/trades/trades.test.ts',
  'server/features/invitations/invitations.test.ts',
  'server/features/listings/expiry.test.ts',
  'test/hostile/connections.test.ts',
  'server/platform/embedded-postgres/embedded-postgres.test.ts',
].map((file) => join(import.meta.dirname, file))

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longFiles.includes(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // Tests often wait for other processes or timers: two workers would leave a quarter of two cores idle.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }]],
    projects: [
      {
        test: {
          ...sharedOptions,
          name: 'server',
          provide: { isLong: false },
          include: ['{bench,contract,scripts,server,test}/**/*.test.ts'],
          setupFiles: 'test/cheap-passwords.ts',
          // Loading the server takes longer than most files run, so the files of a worker share its modules, which have no
          // state of tests.
          isolate: false,
          // Node's own import needs less processor time, and its compile cache outlives a run.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        plugins: [translations()],
        test: { ...sharedOptions, name: 'web', include: ['web/**/*.test.ts'], isolate: false },
      },
      {
        plugins: [translations(), react()],
        css: cssOptions,
        // Vite finds no imports that the macros add, and would reload the tests for them.
        optimizeDeps: { include: ['@lingui/core', '@lingui/react/server'] },
        test: {
          ...sharedOptions,
          name: 'components',
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
          include: ['web/**/*.test.tsx'],
          setupFiles: 'web/testing/setup.ts',
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath, args: browserArgs },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 390, height: 844 } }],
          },
        },
      },
    ],
  },
})
