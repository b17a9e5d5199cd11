// `npm run bench:lists`: what each list of the market costs, of what the plain page costs. README.md says what is asked.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { placesWithin } from '#server/features/places/places.ts'
import { startEmbeddedPostgres } from '#server/platform/db/embedded-postgres.ts'
import { shareCores } from './cores.ts'
import { type Market, openMarkets, openSessionsOf, sociable, sociableMember, town } from './market.ts'
import { type Callers, type Question, questions } from './questions.ts'
import { median, type Sample } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { randomPage } from './workloads.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'bench')
const longestMs = 19 * 60_000

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const connections = 16
const callersOfAKind = 100

type Tokens = Readonly<Record<Callers, readonly string[]>>

async function main(): Promise<void> {
  const ownCore = await shareCores()
  await using stack = new AsyncDisposableStack()
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    settings: { max_wal_size: '4GB' },
    notice: say,
  })
  stack.defer(() => postgres.stop())
  const sizes = [Number(values.listings), Number(values.small)] as const
  const markets = await openMarkets(postgres.url, sizes, say)

  const plain: Question = { callers: 'sociable', path: randomPage }
  const chosen = Object.entries(questions).filter(([name]) => name.includes(values.only))
  const samples = new Map<string, Sample[]>()
  const servers: { server: ServerProcess; tokens: Tokens; size: number }[] = []
  for (const market of markets) {
    const tokens = await callersOf(market)
    const server = await startServer(market, join(folder, 'data'), ownCore)
    stack.defer(() => server.stop())
    servers.push({ server, tokens, size: market.listings })
    for (const [name, question] of chosen) await tell(name, question, server, tokens)
  }
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'Warming up.' : `Round ${round} of ${rounds}.`)
    for (const [name, question] of [['the plain page', plain] as const, ...chosen]) {
      for (const { server, tokens, size } of servers) {
        const sample = await runHttp(question, server, tokens[question.callers], {
          connections,
          seconds: round === 0 ? 1 : seconds,
        })
        const key = `${name} ${size}`
        if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample])
      }
    }
  }
  report(samples, ['the plain page', ...chosen.map(([name]) => name)], sizes)
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
async function tell(name: string, { path, callers }: Question, server: ServerProcess, tokens: Tokens) {
  const counts: number[] = []
  for (let index = 0; index < 10; index += 1) {
    const asked = path(server.market)
    const response = await fetch(server.url + asked, {
      headers: { authorization: `Bearer ${tokens[callers][index]}` },
    })
    if (response.status !== 200) throw new Error(`${asked} answered ${response.status}`)
    const rows = (await response.json()) as unknown[]
    counts.push(rows.length)
  }
  if (Math.min(...counts) < 24) say(`${name}: ${counts.join(' ')} rows`)
}

function report(
  samples: ReadonlyMap<string, Sample[]>,
  names: readonly string[],
  [large, small]: readonly [number, number],
) {
  const p99 = (name: string, size: number) =>
    (samples.get(`${name} ${size}`) ?? []).map((sample) => sample.p99)
  const ratio = (ones: readonly number[], others: readonly number[]) =>
    median(ones.map((one, round) => one / (others[round] ?? Number.NaN))).toFixed(2)
  say('\n| List | a second | p50 ms | p99 ms | p99, of the page’s | p99, of that on the small market |')
  say('|---|--:|--:|--:|--:|--:|')
  for (const name of names) {
    const runs = samples.get(`${name} ${large}`) ?? []
    const cells = [
      name,
      Math.round(median(runs.map(({ perSecond }) => perSecond))).toLocaleString('en'),
      median(runs.map(({ p50 }) => p50)).toFixed(1),
      median(p99(name, large)).toFixed(1),
      ratio(p99(name, large), p99('the plain page', large)),
      ratio(p99(name, large), p99(name, small)),
    ]
    say(`| ${cells.join(' | ')} |`)
  }
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
