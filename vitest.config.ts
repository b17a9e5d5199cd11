import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,scripts,test,web}/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // What the product is made of takes longer to load than most files take to run: those of a worker share it.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Generous, so that a busy machine is no failure.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }]],
  },
})
