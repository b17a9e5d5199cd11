import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'

const rounds = 1

// `npm run test:fault-injection` runs more rounds and the mutations that must be detected.
test('messages are not lost, duplicated or reordered while nodes, database and connections fail', {
  timeout: 300_000,
}, async () => {
  const outcome = await runRounds({ seed: 6, rounds })

  expect(outcome).toMatchObject({ rounds, failure: undefined })
  expect(outcome.messages).toBeGreaterThan(rounds * 20)
})
