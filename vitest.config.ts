import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['{contract,server,scripts,test}/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }]],
  },
})
