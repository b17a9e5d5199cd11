import { expect, test } from 'vitest'
import { Actor } from '#test/actor.ts'
import { seed } from '#test/seed.ts'
import { fuzz, summaryOf } from './fuzzer.ts'
import { startServerProcess } from './server-process.ts'

// `npm run test:hostile -- fuzz` sends 20,000.
test('the server survives broken requests, bodies and connections', async () => {
  await using server = await startServerProcess()
  const ann = new Actor(server.url)
  await ann.join({ username: 'ann' })
  const run = await fuzz({
    server,
    tokens: [ann.token ?? ''],
    requests: 200,
    concurrency: 60,
    seed,
    withinMs: 40_000,
  })
  const summary = summaryOf(run)

  expect(run.isRunning, summary).toBe(true)
  expect(run.sent, summary).toBeGreaterThan(50)
  expect(run.failures, summary).toEqual([])
  expect(run.statuses['201'], summary).toBeGreaterThan(0)
  expect(run.canary.failures, summary).toBe(0)
  expect(server.errors, summary).toEqual([])
  await expect.poll(() => server.uploads()).toEqual([])
}, 120_000)
