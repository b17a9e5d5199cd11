// `npm run test:trouble`: what an operator meets on a bad day, at its real length. Two nodes, their PostgreSQL and their Redis.
import { openStage } from '#test/faults/stage.ts'
import { startMailServer } from '#test/mail-server.ts'
import { databaseAway, diskFull, type Outcome, redisAway, rollingRestart } from './troubles.ts'

const mails = await startMailServer()
const stage = await openStage({ settings: { SMTP_URL: mails.url, DRAIN_SECONDS: '3' } })
const troubles: Record<string, () => Promise<Outcome>> = {
  'PostgreSQL away for 30 seconds': () => databaseAway(stage, mails, { awayMs: 30_000, readyWithinMs: 5000 }),
  'Redis away for 30 seconds': () => redisAway(stage, { awayMs: 30_000 }),
  'A full disk': () => diskFull(stage),
  'Rolling restarts, ten of each node': () =>
    rollingRestart(stage, { times: 10, pauseMs: 1000, pages: true }),
}
let failed = 0
for (const [title, trouble] of Object.entries(troubles)) {
  const { wrong, told } = await trouble().catch((error) => ({ wrong: [String(error.stack)], told: '' }))
  if (wrong.length > 0) failed += 1
  process.stdout.write(`${wrong.length > 0 ? 'FAILED' : 'ok'}  ${title}. ${told}.\n`)
  for (const one of wrong.slice(0, 20)) process.stdout.write(`    ${one}\n`)
}
await stage[Symbol.asyncDispose]()
await mails.stop()
process.exit(failed > 0 ? 1 : 0)
