import { afterAll, expect, test } from 'vitest'
import { newWorld } from '#test/world.ts'
import { createFixture } from './fixture.ts'
import { createPairs, measureDifference } from './same-time.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const all = await createPairs(await createFixture(world))

const samples = 600

test.each(all.map((pair) => [pair.name, pair] as const))(
  '%s takes as long as an unknown one',
  async (_, pair) => {
    const { milliseconds, low, high, median } = await measureDifference(pair, samples)
    process.stdout.write(
      `${pair.name}: ${milliseconds.toFixed(3)} ms apart (${low.toFixed(3)} to ${high.toFixed(3)}) of ${median.toFixed(1)} ms\n`,
    )
    // A thousand requests over a network can not detect such a difference.
    const tolerated = median / 10
    expect(low).toBeLessThan(tolerated)
    expect(high).toBeGreaterThan(-tolerated)
  },
)
