import { afterAll, expect, test, vi } from 'vitest'
import { newWorld } from '#test/world.ts'
import { inBatches } from './database.ts'

const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())

/** Runs batches that take these numbers of rows and as many seconds each, and returns how many ran. */
async function batchesRun(seconds: number, ...taken: number[]): Promise<number> {
  vi.useFakeTimers({ toFake: ['performance'] })
  let batches = 0
  try {
    await inBatches(world.db, 10, async () => {
      vi.advanceTimersByTime(seconds * 1000)
      return taken[batches++] ?? 0
    })
  } finally {
    vi.useRealTimers()
  }
  return batches
}

test('takes batches until one is not full', async () => {
  expect(await batchesRun(1, 10, 10, 9, 10)).toBe(3)
})

test('begins no batch after most of a minute, when the next run of the job begins', async () => {
  expect(await batchesRun(20, 10, 10, 10, 10, 0)).toBe(3)
})
