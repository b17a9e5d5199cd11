// `npm run test:failures` runs failure tests at full length on two nodes with PostgreSQL and Redis.
import { startTestCluster } from '#test/fault-injection/test-cluster.ts'
import { startMailServer } from '#test/mail-server.ts'
import { fillDisk, interruptDatabase, interruptRedis, type Outcome, restartNodes } from './failures.ts'

const mails = await startMailServer()
const cluster = await startTestCluster({ settings: { SMTP_URL: mails.url, DRAIN_SECONDS: '3' } })
const tests: Record<string, () => Promise<Outcome>> = {
  'PostgreSQL away for 30 seconds': () => interruptDatabase(cluster, mails, { outageMs: 30_000 }),
  'Redis away for 30 seconds': () => interruptRedis(cluster, { outageMs: 30_000 }),
  'A full disk': () => fillDisk(cluster),
  'Rolling restarts, ten of each node': () =>
    restartNodes(cluster, { times: 10, pauseMs: 1000, pages: true }),
}
let failed = 0
for (const [title, test] of Object.entries(tests)) {
  const { violations, summary } = await test().catch((error) => ({
    violations: [String(error.stack)],
    summary: '',
  }))
  if (violations.length > 0) failed += 1
  process.stdout.write(`${violations.length > 0 ? 'FAILED' : 'ok'}  ${title}. ${summary}.\n`)
  for (const violation of violations.slice(0, 20)) process.stdout.write(`    ${violation}\n`)
}
await cluster[Symbol.asyncDispose]()
await mails.stop()
process.exit(failed > 0 ? 1 : 0)
