// `npm run bench`: what share of PostgreSQL's own speed reaches a member over HTTP. README.md says what is compared with what.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#server/platform/db/embedded-postgres.ts'
import { checkAnswers } from './check.ts'
import { shareCores } from './cores.ts'
import { openMarkets, openSessions } from './market.ts'
import { requirePgbench, runPgbench } from './pgbench.ts'
import { type Comparison, compare, table } from './report.ts'
import type { Sample } from './sample.ts'
import { runHttp, startServer } from './server.ts'
import { workloadsOf } from './workloads.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'bench')
const longestMs = 12 * 60_000

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '5' },
  },
})
const large = Number(values.listings)
const small = 10_000
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const warmUpSeconds = 3

/** Few enough that most requests come while their session is remembered, as when a screen asks for several things. */
const fewMembers = 100
/** So many that a session is forgotten before it is used again. */
const manyMembers = 16_000

/** A kind of run: one of a round, each time for some seconds. */
type Runs = Readonly<Record<string, (seconds: number) => Promise<Sample>>>

const comparisons: readonly Comparison[] = [
  { title: 'Page, of pgbench', of: 'HTTP page', to: 'pgbench page', atLeast: 0.7 },
  {
    title: 'Page, every request from another member, of pgbench',
    of: 'HTTP page, new callers',
    to: 'pgbench page',
  },
  { title: 'Page, compressed as for a browser, of pgbench', of: 'HTTP page, compressed', to: 'pgbench page' },
  { title: 'Listing, of pgbench', of: 'HTTP listing', to: 'pgbench listing' },
  { title: 'Page with 16 connections, of pgbench', of: 'HTTP page, 16', to: 'pgbench page, 16' },
  {
    title: `Time of a page of ${large.toLocaleString('en')}, of ${small.toLocaleString('en')}`,
    of: 'HTTP page, 10,000',
    to: 'HTTP page',
    atMost: 1.2,
  },
  { title: 'The same in pgbench', of: 'pgbench page, 10,000', to: 'pgbench page' },
]

async function main(): Promise<void> {
  await requirePgbench(say)
  const ownCore = await shareCores()
  if (ownCore.length === 0)
    say(
      'The server gets no core of its own here (that takes two cores and taskset), so figures are less steady.',
    )

  await using stack = new AsyncDisposableStack()
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    settings: { max_wal_size: '4GB' },
    notice: say,
  })
  stack.defer(() => postgres.stop())
  const [market, smallMarket] = await openMarkets(postgres.url, [large, small], say)
  const tokens = await openSessions(market, manyMembers)
  const smallTokens = await openSessions(smallMarket, fewMembers)
  const server = await startServer(market, join(folder, 'data'), ownCore)
  stack.defer(() => server.stop())
  const smallServer = await startServer(smallMarket, join(folder, 'data'), ownCore)
  stack.defer(() => smallServer.stop())

  const { page, listing } = await workloadsOf(market)
  const few = tokens.slice(0, fewMembers)
  await checkAnswers({ page, listing }, server, few)
  await checkAnswers({ page, listing }, smallServer, smallTokens)

  const samples = await inTurns({
    'pgbench page': (seconds) => runPgbench(page, market, { connections: 32, seconds }),
    'HTTP page': (seconds) => runHttp(page, server, few, { connections: 32, seconds }),
    'HTTP page, new callers': (seconds) => runHttp(page, server, tokens, { connections: 32, seconds }),
    'HTTP page, compressed': (seconds) =>
      runHttp(page, server, few, { connections: 32, seconds, accepts: 'gzip, deflate, br, zstd' }),
    'HTTP page, 10,000': (seconds) => runHttp(page, smallServer, smallTokens, { connections: 32, seconds }),
    'pgbench page, 10,000': (seconds) => runPgbench(page, smallMarket, { connections: 32, seconds }),
    'pgbench listing': (seconds) => runPgbench(listing, market, { connections: 32, seconds }),
    'HTTP listing': (seconds) => runHttp(listing, server, few, { connections: 32, seconds }),
    'pgbench page, 16': (seconds) => runPgbench(page, market, { connections: 16, seconds }),
    'HTTP page, 16': (seconds) => runHttp(page, server, few, { connections: 16, seconds }),
  })
  say(`\n${table(samples)}\n`)
  for (const comparison of comparisons) say(compare(comparison, samples))
}

/** Runs each kind once a round, after a round that only warms up. */
async function inTurns(runs: Runs): Promise<ReadonlyMap<string, Sample[]>> {
  const samples = new Map(Object.keys(runs).map((name) => [name, [] as Sample[]]))
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'Warming up.' : `Round ${round} of ${rounds}.`)
    for (const [name, run] of Object.entries(runs)) {
      const sample = await run(round === 0 ? warmUpSeconds : seconds)
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  return samples
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
setTimeout(() => {
  say('The bench takes longer than it may. It ends here.')
  process.exit(1)
}, longestMs).unref()
await main()
process.exit(0)
