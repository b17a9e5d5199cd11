// `npm run bench`: compares the throughput over HTTP with that of PostgreSQL alone. README.md describes the comparisons.
import { checkResponses } from './check.ts'
import { openMarkets, openSessions } from './market.ts'
import { requirePgbench, runPgbench } from './pgbench.ts'
import { type Comparison, compare, table } from './report.ts'
import { runHttp, startServer } from './server.ts'
import { type BenchSetup, optionsOf, print, runRounds, withBenchSetup } from './setup.ts'
import { workloadsOf } from './workloads.ts'

const values = optionsOf({ listings: '1000000', seconds: '6', rounds: '5' })
const large = Number(values.listings)
const small = 10_000
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const warmUpSeconds = 3

const callers = 100

const comparisons: readonly Comparison[] = [
  { title: 'Page, of pgbench', numerator: 'HTTP page', denominator: 'pgbench page', atLeast: 0.7 },
  {
    title: 'Page, compressed as for a browser, of pgbench',
    numerator: 'HTTP page, compressed',
    denominator: 'pgbench page',
  },
  { title: 'Listing, of pgbench', numerator: 'HTTP listing', denominator: 'pgbench listing' },
  {
    title: 'Page with 16 connections, of pgbench',
    numerator: 'HTTP page, 16',
    denominator: 'pgbench page, 16',
  },
  {
    title: `Time of a page of ${large.toLocaleString('en')}, of ${small.toLocaleString('en')}`,
    numerator: 'HTTP page, 10,000',
    denominator: 'HTTP page',
    atMost: 1.2,
  },
  { title: 'The same in pgbench', numerator: 'pgbench page, 10,000', denominator: 'pgbench page' },
]

async function bench({ clusterUrl, ownCore, stack }: BenchSetup): Promise<void> {
  const [market, smallMarket] = await openMarkets(clusterUrl, [large, small], print)
  const tokens = await openSessions(market, callers)
  const smallTokens = await openSessions(smallMarket, callers)
  const server = await startServer(market.url, ownCore)
  stack.defer(() => server.stop())
  const smallServer = await startServer(smallMarket.url, ownCore)
  stack.defer(() => smallServer.stop())

  const { page, listing } = await workloadsOf(market)
  await checkResponses({ page, listing }, market, server, tokens)
  await checkResponses({ page, listing }, smallMarket, smallServer, smallTokens)

  const pageOf = () => page.path(market)
  const runs = {
    'pgbench page': (seconds: number) => runPgbench(page, market, { connections: 32, seconds }),
    'HTTP page': (seconds: number) => runHttp(pageOf, server, tokens, { connections: 32, seconds }),
    'HTTP page, compressed': (seconds: number) =>
      runHttp(pageOf, server, tokens, {
        connections: 32,
        seconds,
        acceptEncoding: 'gzip, deflate, br, zstd',
      }),
    'HTTP page, 10,000': (seconds: number) =>
      runHttp(() => page.path(smallMarket), smallServer, smallTokens, { connections: 32, seconds }),
    'pgbench page, 10,000': (seconds: number) => runPgbench(page, smallMarket, { connections: 32, seconds }),
    'pgbench listing': (seconds: number) => runPgbench(listing, market, { connections: 32, seconds }),
    'HTTP listing': (seconds: number) =>
      runHttp(() => listing.path(market), server, tokens, { connections: 32, seconds }),
    'pgbench page, 16': (seconds: number) => runPgbench(page, market, { connections: 16, seconds }),
    'HTTP page, 16': (seconds: number) => runHttp(pageOf, server, tokens, { connections: 16, seconds }),
  }
  const samples = await runRounds(runs, { rounds, seconds, warmUpSeconds })
  print(`\n${table(samples)}\n`)
  for (const comparison of comparisons) print(compare(comparison, samples))
}

await requirePgbench(print)
await withBenchSetup(12, bench)
