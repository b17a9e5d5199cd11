// `npm run bench:lists`: measures each kind of listing list relative to the plain page. README.md describes the requests.
import { limits } from '#contract/constants.ts'
import {
  type Callers,
  callersOf,
  isCombined,
  type ListWorkload,
  listWorkloads,
  plainPage,
} from './list-workloads.ts'
import { type Market, openMarkets, openSessionsOf } from './market.ts'
import type { Samples } from './report.ts'
import { pooled, pooledOf, type Sample } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { type BenchSetup, optionsOf, print, type Runs, runRounds, withBenchSetup } from './setup.ts'

const values = optionsOf({
  listings: '1000000',
  small: '100000',
  seconds: '1',
  rounds: '5',
  only: '',
  pinned: 'no',
})
const sizes = [Number(values.listings), Number(values.small)] as const
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
/** The warm-up after a change of the list, in which PostgreSQL reads other pages and plans other statements. */
const leadInSeconds = 0.2
const connections = 16
const chosenLists = Object.entries(listWorkloads).filter(([name]) => name.includes(values.only))

/** A server on a market, with the sessions of its callers. */
interface RunningMarket {
  readonly market: Market
  readonly server: ServerProcess
  readonly tokens: Readonly<Record<Callers, readonly string[]>>
}

async function bench({ clusterUrl, ownCore, stack }: BenchSetup): Promise<void> {
  const start = async (market: Market): Promise<RunningMarket> => {
    const ids = await callersOf(market)
    const all = [...new Set(Object.values(ids).flat())]
    const opened = await openSessionsOf(market, all)
    const tokenOf = new Map(all.map((id, index) => [id, opened[index] ?? '']))
    const tokens = Object.fromEntries(
      Object.entries(ids).map(([kind, members]) => [kind, members.map((id) => tokenOf.get(id) ?? '')]),
    ) as Record<Callers, string[]>
    const server = await startServer(market.url, ownCore)
    stack.defer(() => server.stop())
    return { market, server, tokens }
  }
  const markets = await openMarkets(clusterUrl, sizes, print)
  const [large, small] = [await start(markets[0]), await start(markets[1])]

  // A small market may have no member with a full page of listings within a few miles.
  const lists = chosenLists.filter(([, { callers }]) =>
    [large, small].every(({ tokens }) => tokens[callers].length > 0),
  )
  const fullness = new Map<string, readonly [number, number]>()
  for (const [name, list] of lists) fullness.set(name, [await rowsOf(list, large), await rowsOf(list, small)])
  // Each alternates with the plain page, because the speed of the machine varies.
  const runs = lists.flatMap(([name, list]) => [
    [`${name}: page`, run(plainPage, large)] as const,
    [`${name}: large`, run(list, large)] as const,
    [`${name}: small`, run(list, small)] as const,
  ])
  report(await runRounds(Object.fromEntries(runs), { rounds, seconds }), fullness, lists)
}

function run({ callers, path }: ListWorkload, { market, server, tokens }: RunningMarket): Runs[string] {
  return (seconds) =>
    runHttp(() => path(market), server, tokens[callers], { connections, seconds, leadInSeconds })
}

/** The number of responses for the average number of rows. */
const sampledResponses = 40

/** Returns the average number of rows of a first page. Throws if a response is no page. */
async function rowsOf(
  { path, callers }: ListWorkload,
  { market, server, tokens }: RunningMarket,
): Promise<number> {
  let rows = 0
  for (let index = 0; index < sampledResponses; index += 1) {
    const url = path(market)
    const token = tokens[callers][index % tokens[callers].length]
    const response = await fetch(server.url + url, { headers: { authorization: `Bearer ${token}` } })
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    rows += ((await response.json()) as unknown[]).length
  }
  return rows / sampledResponses
}

/** The maximum difference of rows between lists whose times are compared. */
const maxRowDifference = limits.page.size / 8
const targets = { p50: 5, p99: 8, ofSmall: 1.5, combined: 15 }
/** The number of neighboring runs whose plain pages also count, for a more precise p99. */
const neighbors = 2

function report(
  samples: Samples,
  fullness: ReadonlyMap<string, readonly [number, number]>,
  lists: typeof chosenLists,
): void {
  const samplesOf = (run: string) => pooled(samples.get(run) ?? [])
  const pages = lists.map(([name]) => samples.get(`${name}: page`) ?? [])
  const plain = pooledOf(pages)
  print(
    `\nThe plain page: ${plain.perSecond.toFixed(0)} a second, p50 ${plain.p50.toFixed(1)} ms, p99 ${plain.p99.toFixed(1)} ms.\n`,
  )
  const columns = [
    'rows',
    'of the small',
    'p50 ms',
    'p99 ms',
    'p50, of the page’s',
    'p99, of the page’s',
    'p50, of the small’s',
  ]
  print(`| List | ${columns.join(' | ')} |`)
  print(`|---|${'--:|'.repeat(columns.length)}`)
  const missed: string[] = []
  for (const [index, [name]] of lists.entries()) {
    const [large, small] = [samplesOf(`${name}: large`), samplesOf(`${name}: small`)]
    const beside = pooledOf(pages.slice(Math.max(0, index - neighbors), index + neighbors + 1))
    const [rows, smallRows] = fullness.get(name) ?? [Number.NaN, Number.NaN]
    const areComparable = Math.abs(rows - smallRows) <= maxRowDifference
    const ratio = (figure: 'p50' | 'p99', one: Sample, other: Sample) => one[figure] / other[figure]
    const ofPage = { p50: ratio('p50', large, beside), p99: ratio('p99', large, beside) }
    const ofSmall = areComparable ? ratio('p50', large, small) : Number.NaN
    const isMet = isCombined(name)
      ? ofPage.p50 <= targets.combined
      : ofPage.p50 <= targets.p50 && ofPage.p99 <= targets.p99 && !(ofSmall > targets.ofSmall)
    if (!isMet) missed.push(name)
    const cells = [rows, smallRows, large.p50, large.p99, ofPage.p50, ofPage.p99, ofSmall]
    print(
      `| ${[name, ...cells.map((cell) => (Number.isNaN(cell) ? '–' : cell.toFixed(cell < 10 ? 2 : 1)))].join(' | ')} |`,
    )
  }
  print(`\nMissed: ${missed.length === 0 ? 'none' : missed.join('; ')}`)
}

// Lists are compared with each other, so all processes may use both cores as in production.
await withBenchSetup(120, bench, { pinned: values.pinned === 'yes' })
