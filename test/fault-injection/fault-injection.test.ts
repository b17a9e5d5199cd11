import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'

const rounds = 1

/** A run that is long, and the bugs it has to find: `npm run test:fault-injection`. */
test('while nodes, database and connections die, messages are neither lost, doubled, reordered nor invented', {
  timeout: 300_000,
}, async () => {
  const outcome = await runRounds({ seed: 6, rounds })

  expect(outcome).toMatchObject({ rounds, failure: undefined })
  expect(outcome.messages).toBeGreaterThan(rounds * 20)
})
