import { defineConfig } from 'vitest/config'

export const each = {
  pool: 'forks',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // Generous, so that a busy machine is no failure.
  expect: { poll: { timeout: 15_000, interval: 20 } },
} as const

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: '.cache/vitest.json' }]],
    projects: [
      {
        test: {
          ...each,
          name: 'server',
          include: ['server/**/*.test.ts'],
          // What the server is made of takes longer to load than most files take to run, so those of a worker share it.
          // Its modules keep nothing that a world has written (test/shared-modules.test.ts).
          isolate: false,
        },
      },
      {
        test: { ...each, name: 'rest', include: ['{contract,scripts,test,web}/**/*.test.ts'] },
      },
    ],
  },
})
