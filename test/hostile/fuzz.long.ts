import { expect, test } from 'vitest'
import { Actor } from '#test/actor.ts'
import { seed } from '#test/seed.ts'
import { fuzz, summaryOf } from './fuzzer.ts'
import { startServerProcess } from './server-process.ts'

const requests = 20_000
const concurrency = 200
const withinMs = 30 * 60_000
/** `FUZZ_MINUTES=30` repeats the run in the same process, each time with other requests, until so many minutes have passed. */
// biome-ignore lint/style/noProcessEnv: Vitest takes no options of a test
const minutes = Number(process.env.FUZZ_MINUTES ?? 0)
/** Limits how much longer a response may take in the long run than in the short one before it. */
const maxSlowdown = 3
/** The limit for the growth of the heap after a garbage collection: about half a kilobyte per request. */
const maxHeapGrowthMiB = 10
/**
 * The limit for the growth of resident memory, which rises to a plateau: V8 collects rarely while memory is free, and malloc keeps
 * freed memory (`bench/README.md` has the figures).
 */
const maxGrowthMiB = 300

test(`the server survives ${requests} broken requests, ${concurrency} at a time`, async () => {
  await using server = await startServerProcess()
  const tokens: string[] = []
  for (const username of ['ann', 'bob', 'cem', 'dee']) {
    const member = new Actor(server.url)
    await member.join({ username })
    tokens.push(member.token ?? '')
  }
  const report = (line: string) => process.stdout.write(`${line}\n`)
  // Warm up: compiled code and pool connections stay.
  const warmUp = await fuzz({ server, tokens, requests: 1000, concurrency, seed: seed + 1000, withinMs })
  const heap = await server.heapUsed()
  const openFiles = await server.openFiles()
  const memoryBefore = (await server.memory()).rss
  const start = performance.now()
  let summary = ''
  for (let round = 0; round === 0 || performance.now() - start < minutes * 60_000; round += 1) {
    const run = await fuzz({
      server,
      tokens,
      requests,
      concurrency,
      seed: seed + round * requests,
      withinMs,
      report,
    })
    summary = summaryOf(run)
    report(summary)
    expect(run.isRunning, summary).toBe(true)
    expect(run.sent, summary).toBe(requests)
    expect(run.failures, summary).toEqual([])
    // Valid forms with photos created listings.
    expect(run.statuses['201'], summary).toBeGreaterThan(50)
    expect(server.errors, summary).toEqual([])
    expect(run.canary.failures, summary).toBe(0)
    expect(run.canary.medianMs, summary).toBeLessThan(maxSlowdown * warmUp.canary.medianMs)
  }
  await expect.poll(() => server.openFiles()).toBeLessThan(openFiles + 20)
  // An image may wait for others of its member, each of which may take 10 seconds.
  await expect.poll(() => server.uploads(), { timeout: 120_000 }).toEqual([])
  expect((await server.memory()).rss - memoryBefore, summary).toBeLessThan(maxGrowthMiB)
  await expect
    .poll(() => server.heapUsed(), { timeout: 120_000, interval: 2000, message: summary })
    .toBeLessThan(heap + maxHeapGrowthMiB)
  report(`heap: ${heap.toFixed(1)} MiB before, ${(await server.heapUsed()).toFixed(1)} MiB after`)
})
