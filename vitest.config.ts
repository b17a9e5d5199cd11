import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,scripts,test,web}/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Generous, so that a busy machine is no failure.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }]],
  },
})
