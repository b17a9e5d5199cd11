import { afterAll, expect, test } from 'vitest'
import { randomFaults, runRounds } from '#test/fault-injection/rounds.ts'
import { startTestCluster } from '#test/fault-injection/test-cluster.ts'
import { startMailServer } from '#test/mail-server.ts'
import { findProgram } from '../../scripts/programs.mjs'
import { fillDisk, interruptDatabase, interruptRedis } from './failures.ts'

// `npm run test:failures` runs these for longer and also does rolling restarts. `npm run test:fault-injection` runs more rounds, and
// the mutations that must be detected.
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const mails = await startMailServer()
stack.defer(() => mails.stop())
const cluster = stack.use(await startTestCluster({ settings: { SMTP_URL: mails.url, DRAIN_SECONDS: '3' } }))
const timeout = 240_000

test('returns 503 with Retry-After while PostgreSQL is down, and recovers', {
  timeout,
}, async () => {
  const { violations } = await interruptDatabase(cluster, mails, { outageMs: 3000, readyWithinMs: 20_000 })
  expect(violations).toEqual([])
})

test('serves requests and stores messages while Redis is down', { timeout }, async () => {
  expect(await interruptRedis(cluster, { outageMs: 500 })).toMatchObject({ violations: [] })
})

test('refuses photos without leaving files when the disk is full', {
  timeout,
}, async (context) => {
  if (!findProgram('prlimit'))
    return context.skip('prlimit, which limits the size of files, is not installed')
  expect(await fillDisk(cluster)).toMatchObject({ violations: [] })
})

test('messages are not lost, duplicated or reordered while a node dies, links fail and a page is reloaded', {
  timeout,
}, async () => {
  const seed = 1
  const openScenario = async () => ({
    ...randomFaults(cluster, seed),
    // The other tests use the servers too.
    [Symbol.asyncDispose]: async () => {},
  })
  const outcome = await runRounds({ seed, rounds: 1, pairs: 1, openScenario })

  expect(outcome).toMatchObject({ rounds: 1, failure: undefined })
  expect(outcome.messages).toBeGreaterThan(10)
})
