import { afterAll, expect, test } from 'vitest'
import { startTestCluster } from '#test/fault-injection/test-cluster.ts'
import { startMailServer } from '#test/mail-server.ts'
import { findProgram } from '../../scripts/programs.mjs'
import { databaseAway, diskFull, redisAway } from './failures.ts'

// `npm run test:failures` runs these for longer, and restarts nodes one after the other.
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())
const mails = await startMailServer()
stack.defer(() => mails.stop())
const cluster = stack.use(await startTestCluster({ settings: { SMTP_URL: mails.url, DRAIN_SECONDS: '3' } }))
const timeout = 240_000

test('while PostgreSQL is away every call is told to come back, and all goes on when it is back', {
  timeout,
}, async () => {
  const { wrong } = await databaseAway(cluster, mails, { awayMs: 3000, readyWithinMs: 20_000 })
  expect(wrong).toEqual([])
})

test('while Redis is away everything is served, and messages are stored', { timeout }, async () => {
  expect(await redisAway(cluster, { awayMs: 500 })).toMatchObject({ wrong: [] })
})

test('without room on the disk photos are refused with a sentence, and nothing of them stays', {
  timeout,
}, async (context) => {
  if (!findProgram('prlimit'))
    return context.skip('prlimit, which ends what a process may write, is not here')
  expect(await diskFull(cluster)).toMatchObject({ wrong: [] })
})
