// `npm run bench:lists`: what each list of the market costs, of what the plain page costs. README.md says what is asked.
import pg from 'pg'
import { placesWithin } from '#server/features/places/places.ts'
import { type Market, openMarkets, openSessionsOf, sociable, sociableMember, town } from './market.ts'
import { type Callers, type Question, questions } from './questions.ts'
import { ratios, type Samples } from './report.ts'
import { median, type Sample } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { inTurns, onStage, optionsOf, type Runs, type Stage, say } from './stage.ts'
import { randomPage } from './workloads.ts'

const values = optionsOf({ listings: '1000000', small: '100000', seconds: '1', rounds: '3', only: '' })
const sizes = [Number(values.listings), Number(values.small)] as const
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const warmUpSeconds = 0.5
const connections = 16
const callersOfAKind = 100

const plain: Question = { callers: 'sociable', path: randomPage }
/** Each with the plain page beside it, as a machine may be twice as slow a minute later. */
const lists = Object.entries(questions)
  .filter(([name]) => name.includes(values.only))
  .flatMap(([name, question]) => [[beside(name), plain] as const, [name, question] as const])

type Tokens = Readonly<Record<Callers, readonly string[]>>

async function bench({ clusterUrl, ownCore, stack }: Stage): Promise<void> {
  const markets = await openMarkets(clusterUrl, sizes, say)
  const runsBySize: Runs[] = []
  for (const market of markets) {
    const tokens = await callersOf(market)
    const server = await startServer(market.url, ownCore)
    stack.defer(() => server.stop())
    for (const [name, question] of lists)
      if (question !== plain) await tell(name, question, market, server, tokens)
    runsBySize.push(
      Object.fromEntries(
        lists.map(([name, { callers, path }]) => [
          runName(name, market.listings),
          (seconds: number) => runHttp(() => path(market), server, tokens[callers], { connections, seconds }),
        ]),
      ),
    )
  }
  const runs = lists.flatMap(([name, question]) =>
    runsBySize.flatMap((runs, index) => {
      if (question === plain && index > 0) return []
      const key = runName(name, sizes[index] ?? 0)
      const run = runs[key]
      return run ? [[key, run] as const] : []
    }),
  )
  report(await inTurns(Object.fromEntries(runs), { rounds, seconds, warmUpSeconds }))
}

/** Opens sessions of a hundred members of each kind. */
async function callersOf(market: Market): Promise<Tokens> {
  const client = new pg.Client({ connectionString: market.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; place: number }>(
      'select id, place from users order by id',
    )
    const inTown = rows.filter(({ place }) => place === town)
    const remote = rows
      .filter((_, index) => index % 50 === 1)
      .map(({ id, place }) => ({ id, around: placesWithin(place, 100).length }))
      .sort((a, b) => a.around - b.around)
    const ids = [
      Array.from({ length: sociable.members }, (_, index) => sociableMember(index)),
      inTown.slice(0, callersOfAKind).map(({ id }) => Number(id)),
      remote.slice(0, callersOfAKind).map(({ id }) => Number(id)),
    ]
    const tokens = await openSessionsOf(market, ids.flat())
    const of = (kind: number) =>
      tokens.slice(kind * callersOfAKind, kind * callersOfAKind + (ids[kind]?.length ?? 0))
    return { sociable: of(0), town: of(1), remote: of(2) }
  } finally {
    await client.end()
  }
}

/** Says how full the first page is, and fails for anything but a page. */
async function tell(
  name: string,
  { path, callers }: Question,
  market: Market,
  server: ServerProcess,
  tokens: Tokens,
) {
  const counts: number[] = []
  for (let index = 0; index < 10; index += 1) {
    const asked = path(market)
    const response = await fetch(server.url + asked, {
      headers: { authorization: `Bearer ${tokens[callers][index]}` },
    })
    if (response.status !== 200) throw new Error(`${asked} answered ${response.status}`)
    const rows = (await response.json()) as unknown[]
    counts.push(rows.length)
  }
  if (Math.min(...counts) < 24) say(`${name}: ${counts.join(' ')} rows`)
}

function beside(list: string): string {
  return `the plain page beside ${list}`
}

function runName(list: string, listings: number): string {
  return `${list} of ${listings.toLocaleString('en')}`
}

function report(samples: Samples): void {
  const [large, small] = sizes
  const figures = (run: string, of: (sample: Sample) => number) => (samples.get(run) ?? []).map(of)
  const p99 = ({ p99 }: Sample) => p99
  const p50 = ({ p50 }: Sample) => p50
  const compared = (one: string, other: string, of: (sample: Sample) => number) =>
    median(ratios(figures(one, of), figures(other, of))).toFixed(2)
  const pages = lists.flatMap(([name, question]) => (question === plain ? [runName(name, large)] : []))
  const ofPages = (of: (sample: Sample) => number) => median(pages.flatMap((run) => figures(run, of)))
  const perSecond = Math.round(ofPages((sample) => sample.perSecond)).toLocaleString('en')
  say(
    `\nThe plain page: ${perSecond} a second, p50 ${ofPages(p50).toFixed(1)} ms, p99 ${ofPages(p99).toFixed(1)} ms.\n`,
  )
  const of = [
    'p99, of the page’s',
    'p50, of the page’s',
    'p99, of the small market’s',
    'p50, of the small market’s',
  ]
  say(`| List | a second | p50 ms | p99 ms | ${of.join(' | ')} |`)
  say('|---|--:|--:|--:|--:|--:|--:|--:|')
  for (const [name, question] of lists) {
    if (question === plain) continue
    const [run, page, onSmall] = [runName(name, large), runName(beside(name), large), runName(name, small)]
    const cells = [
      name,
      Math.round(median(figures(run, ({ perSecond }) => perSecond))).toLocaleString('en'),
      median(figures(run, p50)).toFixed(1),
      median(figures(run, p99)).toFixed(1),
      compared(run, page, p99),
      compared(run, page, p50),
      compared(run, onSmall, p99),
      compared(run, onSmall, p50),
    ]
    say(`| ${cells.join(' | ')} |`)
  }
}

await onStage(19, bench)
