import { expect, test } from 'vitest'
import { runRounds } from '#test/fault-injection/rounds.ts'

// `npm run test:failures` kills PostgreSQL and Redis, fills the disk and does rolling restarts. `npm run test:fault-injection` runs
// more rounds, and the mutations that must be detected.
test('messages are not lost, duplicated or reordered while a node dies, links fail and a page is reloaded', {
  timeout: 240_000,
}, async () => {
  const outcome = await runRounds({ seed: 1, rounds: 1, pairs: 1 })

  expect(outcome).toMatchObject({ rounds: 1, failure: undefined })
  expect(outcome.messages).toBeGreaterThan(10)
})
