import { afterAll, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { takeRandomSteps } from './random-trades.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

test('10,000 random steps of four members keep all invariants', () =>
  takeRandomSteps(world, { runs: 100, steps: [100, 100] }))

test('random steps taken six at a time keep all invariants', () =>
  takeRandomSteps(world, { runs: 40, steps: [60, 60], parallel: 6 }))
