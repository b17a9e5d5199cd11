import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { newWorld } from '#test/world.ts'

const sockets = 500
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')

/** Kinds with complete headers, which are limited by the request timeout. */
const withBody = new Set(['body', 'chunks', 'an upload without a login'])
const limits = { headers: 10, body: 310 }

test(`closes ${sockets} slow connections of each kind in time and serves others meanwhile`, async () => {
  const attack = spawn(
    process.execPath,
    [join(import.meta.dirname, 'slow-sockets.ts'), new URL(world.url).port, String(sockets)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let served = 0
  let slowest = 0
  const serving = setInterval(async () => {
    const start = performance.now()
    await ann.call(getProfile)
    slowest = Math.max(slowest, performance.now() - start)
    served += 1
  }, 200)
  const seconds: Record<string, number> = {}
  for await (const line of createInterface({ input: attack.stdout })) {
    const result: { kind: string; seconds: number } = JSON.parse(line)
    seconds[result.kind] = result.seconds
  }
  clearInterval(serving)
  process.stdout.write(
    `${JSON.stringify(seconds)}; ${served} responses meanwhile, the slowest after ${slowest.toFixed(0)} ms\n`,
  )

  expect(Object.keys(seconds)).toHaveLength(7)
  const late = Object.entries(seconds).filter(
    ([kind, taken]) => taken > (withBody.has(kind) ? limits.body : limits.headers),
  )
  expect(late).toEqual([])
  expect(served).toBeGreaterThan(100)
  expect(slowest).toBeLessThan(2000)
})
