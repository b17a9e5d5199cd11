import { afterAll, test } from 'vitest'
import { seed } from '#test/seed.ts'
import { newWorld } from '#test/world.ts'
import { takeRandomSteps } from './random-trades.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('random steps of four members keep all invariants', () =>
  takeRandomSteps(world, { runs: 1, steps: [20, 25], seed }))
