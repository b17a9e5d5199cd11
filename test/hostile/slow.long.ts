import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { getProfile } from '#contract/auth.ts'
import { newWorld } from '#test/world.ts'

const sockets = 500
const world = await newWorld()
afterAll(() => world[Symbol.asyncDispose]())
const [ann] = await world.members('ann')

/** Kinds with complete headers, which are limited by the request timeout, not by the much shorter one for headers. */
const withBody = new Set(['body', 'chunks', 'an upload without a login'])
/** Limits how much slower a request may be during the attack than before it. */
const maxSlowdown = 10

test(`closes ${sockets} slow connections of each kind and serves others meanwhile`, async () => {
  let isCalm = true
  setTimeout(() => {
    isCalm = false
  }, 10_000)
  const before = await medianWhile(() => isCalm)

  const attack = spawn(
    process.execPath,
    [join(import.meta.dirname, 'slow-sockets.ts'), new URL(world.url).port, String(sockets)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let isAttacked = true
  const serving = medianWhile(() => isAttacked)
  const seconds: Record<string, number> = {}
  for await (const line of createInterface({ input: attack.stdout })) {
    const result: { kind: string; seconds: number } = JSON.parse(line)
    seconds[result.kind] = result.seconds
  }
  isAttacked = false
  const during = await serving
  process.stdout.write(
    `${JSON.stringify(seconds)}; a response took ${before.toFixed(1)} ms before and ${during.toFixed(1)} ms meanwhile\n`,
  )

  const kinds = Object.keys(seconds)
  expect(kinds).toHaveLength(7)
  const secondsOf = (kinds: string[]) => kinds.map((kind) => seconds[kind] ?? 0)
  const [bodies, headers] = [
    secondsOf(kinds.filter((kind) => withBody.has(kind))),
    secondsOf(kinds.filter((kind) => !withBody.has(kind))),
  ]
  expect(Math.max(...headers)).toBeLessThan(Math.min(...bodies) / 10)
  expect(during).toBeLessThan(maxSlowdown * before)
})

/** Sends requests one after the other while the condition holds. Returns the median of their durations in milliseconds. */
async function medianWhile(condition: () => boolean): Promise<number> {
  const times: number[] = []
  while (condition()) {
    const start = performance.now()
    await ann.call(getProfile)
    times.push(performance.now() - start)
    await sleep(100)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
