import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { randomTrades } from './random-trades.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('10,000 random steps of four members keep every promise', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomTrades.step, { minLength: 100, maxLength: 100 }), async (steps) => {
      await randomTrades.run(world, steps)
    }),
    { numRuns: 100 },
  )
})

test('random steps taken six at a time keep all invariants', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomTrades.step, { minLength: 60, maxLength: 60 }), async (steps) => {
      await randomTrades.run(world, steps, 6)
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
