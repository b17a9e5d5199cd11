import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { createFixture } from './fixture.ts'
import { difference, pairs } from './same-time.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const all = await pairs(await createFixture(world))

// A leak that is worth anything (a hash not computed, a row not looked up) stands out from this; `npm run test:hostile -- same-time` looks closer.
test.each(all.map((pair) => [pair.name, pair] as const))(
  '%s takes as long as what was never there',
  async (_, pair) => {
    const { low, high, usual } = await difference(pair, 20)
    const tolerated = Math.max(1, usual / 4)
    expect(low).toBeLessThan(tolerated)
    expect(high).toBeGreaterThan(-tolerated)
  },
)
