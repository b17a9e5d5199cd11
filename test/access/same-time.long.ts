import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { createFixture } from './fixture.ts'
import { difference, pairs } from './same-time.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const all = await pairs(await createFixture(world))

const samples = 600

test.each(all.map((pair) => [pair.name, pair] as const))(
  '%s takes as long as what was never there',
  async (_, pair) => {
    const { milliseconds, low, high, usual } = await difference(pair, samples)
    process.stdout.write(
      `${pair.name}: ${milliseconds.toFixed(3)} ms apart (${low.toFixed(3)} to ${high.toFixed(3)}) of ${usual.toFixed(1)} ms\n`,
    )
    // A difference that a thousand requests over a network could not detect.
    const tolerated = Math.max(0.25, usual / 20)
    expect(low).toBeLessThan(tolerated)
    expect(high).toBeGreaterThan(-tolerated)
  },
)
