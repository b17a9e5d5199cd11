import { afterAll, expect, test } from 'vitest'
import type { Actor } from '#test/actor.ts'
import { seed } from '#test/seed.ts'
import { newWorld, type World } from '#test/world.ts'
import { resourceUse, sendEvents, sendRequests } from './load.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [mallory] = await world.members('mallory')

const pieces = 20
type Send = (world: World, mallory: Actor, times: number, seed: number) => Promise<void>

test.each<[number, string, Send]>([
  [100_000, 'requests', sendRequests],
  [50_000, 'events', sendEvents],
])('%i malformed %s cause no server error and no growth', async (times, kind, send) => {
  const before = await resourceUse(world)
  const heaps: number[] = []
  for (let piece = 1; piece <= pieces; piece += 1) {
    await send(world, mallory, times / pieces, seed + piece)
    const { heapMB, rssMB, handles, rows } = await resourceUse(world)
    heaps.push(heapMB)
    process.stdout.write(
      `${(piece * times) / pieces} ${kind}: heap ${heapMB.toFixed(1)} MB, memory ${rssMB.toFixed(0)} MB, ${handles} handles\n`,
    )
    expect(rows).toEqual(before.rows)
    // Timers of the last events end soon.
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThan(before.handles + 20)
  }
  // After the first quarter all caches are filled.
  const settled = heaps[pieces / 4] ?? 0
  expect(Math.min(...heaps.slice(-3))).toBeLessThan(settled + 10)
})
