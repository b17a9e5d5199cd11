// `npm run bench:lists`: what each list of the market costs, of what the plain page costs. README.md says what is asked.
import { limits } from '#contract/constants.ts'
import { callersOf, type Tokens } from './callers.ts'
import { openMarkets } from './market.ts'
import { type Question, questions } from './questions.ts'
import type { Samples } from './report.ts'
import { pooled, pooledOf, type Sample } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { inTurns, onStage, optionsOf, type Stage, say } from './stage.ts'
import { type AskedMarket, randomPage, withCursors } from './workloads.ts'

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
/** When the kind of list changes PostgreSQL reads other pages, and each of its connections plans what is new to it. */
const leadInSeconds = 0.2
const connections = 16
/**
 * The plain page runs for a share of the time, and beside a list counts what ran beside so many before and after it as well: the
 * more pages, the surer is their p99.
 */
const page = { share: 0.5, neighbors: 2 }

const plain: Question = { callers: 'sociable', path: randomPage }
const lists = Object.entries(questions).filter(([name]) => name.includes(values.only))

interface Served {
  readonly market: AskedMarket
  readonly server: ServerProcess
  readonly tokens: Tokens
}

async function bench({ clusterUrl, ownCore, stack }: Stage): Promise<void> {
  const served: Served[] = []
  for (const market of await openMarkets(clusterUrl, sizes, say)) {
    const tokens = await callersOf(market)
    const server = await startServer(market.url, ownCore)
    stack.defer(() => server.stop())
    served.push({ market: await withCursors(market), server, tokens })
  }
  const [large, small] = served
  if (!large || !small) throw new Error('Two markets are needed')

  const fullness = new Map<string, readonly [number, number]>()
  for (const [name, question] of lists)
    fullness.set(name, [await rowsOf(question, large), await rowsOf(question, small)])

  const run =
    ({ callers, path }: Question, { market, server, tokens }: Served) =>
    (seconds: number) =>
      runHttp(() => path(market), server, tokens[callers], { connections, seconds, leadInSeconds })
  // Each with the plain page beside it, as a machine may be twice as slow a minute later.
  const runs = lists.flatMap(([name, question]) => [
    [`${name}: page`, (seconds: number) => run(plain, large)(seconds * page.share)] as const,
    [`${name}: large`, run(question, large)] as const,
    [`${name}: small`, run(question, small)] as const,
  ])
  report(await inTurns(Object.fromEntries(runs), { rounds, seconds }), fullness)
}

const asked = 40

/** How many rows a first page holds, on average; throws for anything but a page. */
async function rowsOf({ path, callers }: Question, { market, server, tokens }: Served): Promise<number> {
  let rows = 0
  for (let index = 0; index < asked; index += 1) {
    const url = path(market)
    const token = tokens[callers][index % tokens[callers].length]
    const response = await fetch(server.url + url, { headers: { authorization: `Bearer ${token}` } })
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
    rows += ((await response.json()) as unknown[]).length
  }
  return rows / asked
}

/** Of lists that differ by more rows than this the times are not compared. */
const tolerated = limits.page.size / 8
const aim = { ofPage: 3, ofSmall: 1.5 }

function report(samples: Samples, fullness: ReadonlyMap<string, readonly [number, number]>): void {
  const of = (run: string) => pooled(samples.get(run) ?? [])
  const pages = lists.map(([name]) => samples.get(`${name}: page`) ?? [])
  const plainly = pooledOf(pages)
  const perSecond = Math.round(plainly.perSecond).toLocaleString('en')
  say(
    `\nThe plain page: ${perSecond} a second, p50 ${plainly.p50.toFixed(1)} ms, p99 ${plainly.p99.toFixed(1)} ms.\n`,
  )
  const heads = ['rows', 'of the small market', 'a second', 'p50 ms', 'p99 ms']
  const ratios = ['p99, of the page’s', 'p50, of the page’s', 'p99, of the small’s', 'p50, of the small’s']
  say(`| List | ${[...heads, ...ratios].join(' | ')} |`)
  say(`|---|${'--:|'.repeat(heads.length + ratios.length)}`)
  const slow: string[] = []
  const growing: string[] = []
  const incomparable: string[] = []
  for (const [index, [name]] of lists.entries()) {
    const [large, small] = [of(`${name}: large`), of(`${name}: small`)]
    const beside = pooledOf(pages.slice(Math.max(0, index - page.neighbors), index + page.neighbors + 1))
    const [rows, smallRows] = fullness.get(name) ?? [Number.NaN, Number.NaN]
    const alike = Math.abs(rows - smallRows) <= tolerated
    const ratio = (figure: 'p50' | 'p99', one: Sample, other: Sample) => one[figure] / other[figure]
    if (ratio('p99', large, beside) > aim.ofPage) slow.push(name)
    if (!alike) incomparable.push(name)
    else if (ratio('p99', large, small) > aim.ofSmall) growing.push(name)
    const cells = [
      name,
      rows.toFixed(1),
      smallRows.toFixed(1),
      Math.round(large.perSecond).toLocaleString('en'),
      large.p50.toFixed(1),
      large.p99.toFixed(1),
      ratio('p99', large, beside).toFixed(2),
      ratio('p50', large, beside).toFixed(2),
      alike ? ratio('p99', large, small).toFixed(2) : '–',
      alike ? ratio('p50', large, small).toFixed(2) : '–',
    ]
    say(`| ${cells.join(' | ')} |`)
  }
  say(`\nOver ${aim.ofPage} times the page’s p99: ${listed(slow)}`)
  say(`Over ${aim.ofSmall} times the small market’s p99: ${listed(growing)}`)
  say(`Not compared, as there is more to show in one market: ${listed(incomparable)}`)
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join('; ')
}

// One list is compared with another, not the server with its database: as in operation, whatever has work may use either core.
await onStage(22, bench, { pinned: values.pinned === 'yes' })
