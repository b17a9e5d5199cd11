// `npm run test:failures`: failures that an operator meets, at their real length. Two nodes, their PostgreSQL and their Redis.
import { startTestCluster } from '#test/fault-injection/test-cluster.ts'
import { startMailServer } from '#test/mail-server.ts'
import { databaseAway, diskFull, type Outcome, redisAway, rollingRestart } from './failures.ts'

const mails = await startMailServer()
const cluster = await startTestCluster({ settings: { SMTP_URL: mails.url, DRAIN_SECONDS: '3' } })
const troubles: Record<string, () => Promise<Outcome>> = {
  'PostgreSQL away for 30 seconds': () =>
    databaseAway(cluster, mails, { awayMs: 30_000, readyWithinMs: 5000 }),
  'Redis away for 30 seconds': () => redisAway(cluster, { awayMs: 30_000 }),
  'A full disk': () => diskFull(cluster),
  'Rolling restarts, ten of each node': () =>
    rollingRestart(cluster, { times: 10, pauseMs: 1000, pages: true }),
}
let failed = 0
for (const [title, trouble] of Object.entries(troubles)) {
  const { wrong, told } = await trouble().catch((error) => ({ wrong: [String(error.stack)], told: '' }))
  if (wrong.length > 0) failed += 1
  process.stdout.write(`${wrong.length > 0 ? 'FAILED' : 'ok'}  ${title}. ${told}.\n`)
  for (const one of wrong.slice(0, 20)) process.stdout.write(`    ${one}\n`)
}
await cluster[Symbol.asyncDispose]()
await mails.stop()
process.exit(failed > 0 ? 1 : 0)
