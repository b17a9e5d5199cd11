import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { createFixture } from './fixture.ts'
import { createPairs, measureDifference } from './same-time.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const all = await createPairs(await createFixture(world))

// Detects large differences, like a hash that is not computed. `npm run test:hostile -- same-time` measures more precisely.
test.each(all.map((pair) => [pair.name, pair] as const))(
  '%s takes as long as an unknown one',
  async (_, pair) => {
    const { low, high, median } = await measureDifference(pair, 20)
    const tolerated = Math.max(1, median / 4)
    expect(low).toBeLessThan(tolerated)
    expect(high).toBeGreaterThan(-tolerated)
  },
)
