import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { randomTrades } from './random-trades.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('random steps of four members keep all invariants', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomTrades.step, { minLength: 40, maxLength: 60 }), async (steps) => {
      await randomTrades.run(world, steps)
    }),
    { numRuns: 5 },
  )
})
