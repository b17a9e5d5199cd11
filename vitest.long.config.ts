import { defineConfig } from 'vitest/config'
import { LongFirst, sharedOptions } from './vitest.config.ts'

/** Files of `npm test` that are longer here. */
const longForms = [
  'server/backup/backup.test.ts',
  'server/features/auth/gone-members.test.ts',
  'server/features/friends/concurrency.test.ts',
  'server/features/images/hostile-files.test.ts',
  'server/features/listings/market.test.ts',
  'server/features/listings/search.test.ts',
  'server/features/listings/visibility.test.ts',
  'server/features/matching/agreement.test.ts',
  'server/features/reports/reports.test.ts',
  'server/features/rings/ring-conditions.test.ts',
  'server/features/trades/trades.test.ts',
  'server/platform/db/migrate.test.ts',
  'server/platform/embedded-postgres/embedded-postgres.test.ts',
  'server/platform/http/any-input.test.ts',
  'test/access/pages.test.ts',
  'test/replica/replica.test.ts',
  'test/visibility/visibility.test.ts',
]

/** `npm run test:hostile`: the long forms of tests of `npm test`. `-- slow` runs the files with this in their name. */
export default defineConfig({
  test: {
    ...sharedOptions,
    globalSetup: 'test/global-setup.ts',
    include: ['test/**/*.long.ts', ...longForms],
    provide: { isLong: true },
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 3_600_000,
  },
})
