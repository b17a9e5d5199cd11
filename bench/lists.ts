// `npm run bench:lists`: measures each kind of listing list relative to the plain page. README.md describes the requests.
import { join, resolve } from 'node:path'
import pg from 'pg'
import { limits } from '#contract/constants.ts'
import { listingQuery } from '#contract/listings.ts'
import { encodeCursor } from '#server/features/listings/cursor.ts'
import type { postListing } from '#server/features/listings/listing.ts'
import type { Market, openMarkets, openSessionsOf } from './market.ts'
import * as market from './market.ts'
import {
  type AskedMarket,
  type Callers,
  callersOf,
  isCombined,
  mix,
  plainPage,
  type Question,
  questions,
} from './questions.ts'
import { ratios, type Samples } from './report.ts'
import { median, pooled, pooledOf, type Sample } from './sample.ts'
import { runHttp, type ServerProcess, startServer } from './server.ts'
import { type BenchSetup, optionsOf, type Runs, runRounds, say, withBenchSetup } from './setup.ts'

const values = optionsOf({
  listings: '1000000',
  small: '100000',
  seconds: '1',
  rounds: '5',
  only: '',
  pinned: 'no',
  against: '',
  posts: '300',
})
const sizes = [Number(values.listings), Number(values.small)] as const
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
/** The warm-up after a change of the list, in which PostgreSQL reads other pages and plans other statements. */
const leadInSeconds = 0.2
const connections = 16
const root = join(import.meta.dirname, '..')
const chosen = Object.entries(questions).filter(([name]) => name.includes(values.only))

/** A server of this checkout or of the compared one, on a market. */
interface Side {
  readonly root: string
  readonly market: AskedMarket
  readonly server: ServerProcess
  readonly tokens: Readonly<Record<Callers, readonly string[]>>
}

async function bench({ clusterUrl, ownCore, stack }: BenchSetup): Promise<void> {
  const before = values.against === '' ? undefined : await checkoutOf(resolve(values.against))
  const oldMarkets = before ? await before.openMarkets(clusterUrl, sizes, say) : []
  const markets = await market.openMarkets(clusterUrl, sizes, say, oldMarkets)

  const open = async (
    checkout: Checkout,
    { market, callers }: { market: Market; callers: Market },
  ): Promise<Side> => {
    const ids = await callersOf(callers)
    const all = [...new Set(Object.values(ids).flat())]
    const opened = await checkout.openSessionsOf(market, all)
    const tokenOf = new Map(all.map((id, index) => [id, opened[index] ?? '']))
    const tokens = Object.fromEntries(
      Object.entries(ids).map(([kind, members]) => [kind, members.map((id) => tokenOf.get(id) ?? '')]),
    ) as Record<Callers, string[]>
    const server = await checkout.startServer(market.url, ownCore)
    stack.defer(() => server.stop())
    return {
      root: checkout.root,
      market: { ...market, cursor: await checkout.cursorsOf(market) },
      server,
      tokens,
    }
  }
  const [large, small] = [
    await open(ours, { market: markets[0], callers: markets[0] }),
    await open(ours, { market: markets[1], callers: markets[1] }),
  ]
  const [oldMarket] = oldMarkets
  const old = before && oldMarket && (await open(before, { market: oldMarket, callers: markets[0] }))

  if (old) await compareWithOld(large, old)
  // A small market may have no member with a full page of listings within a few miles.
  const lists = chosen.filter(([, { callers }]) =>
    [large, small].every(({ tokens }) => tokens[callers].length > 0),
  )
  const fullness = new Map<string, readonly [number, number]>()
  for (const [name, question] of lists)
    fullness.set(name, [await rowsOf(question, large), await rowsOf(question, small)])
  // Each alternates with the plain page, because the speed of the machine varies.
  const runs = lists.flatMap(([name, question]) => [
    [`${name}: page`, run(plainPage, large)] as const,
    [`${name}: large`, run(question, large)] as const,
    [`${name}: small`, run(question, small)] as const,
    ...(old ? [[`${name}: old`, run(question, old)] as const] : []),
  ])
  report(await runRounds(Object.fromEntries(runs), { rounds, seconds }), fullness, lists)
}

function run({ callers, path }: Question, { market, server, tokens }: Side): Runs[string] {
  return (seconds) =>
    runHttp(() => path(market), server, tokens[callers], { connections, seconds, leadInSeconds })
}

/** The functions of a checkout that this benchmark uses. */
interface Checkout {
  readonly root: string
  readonly openMarkets: typeof openMarkets
  readonly openSessionsOf: typeof openSessionsOf
  readonly startServer: typeof startServer
  cursorsOf(market: Market): Promise<AskedMarket['cursor']>
}

const ours: Checkout = {
  ...market,
  root,
  startServer,
  cursorsOf:
    async () =>
    (query, { id, key }) => {
      const fields = new URLSearchParams(query)
      const types = fields.getAll('type_id')
      const list = listingQuery.parse({
        ...Object.fromEntries(fields),
        ...(types.length > 0 && { type_id: types }),
      })
      return encodeCursor({ part: 0, id, key, relaxed: false }, list)
    },
}

/** A checkout of commit d642b35, which had a query planner in TypeScript and encrypted cursors. */
async function checkoutOf(root: string): Promise<Checkout> {
  const [market, server, workloads] = await Promise.all(
    ['market', 'server', 'workloads'].map((name) => import(join(root, 'bench', `${name}.ts`))),
  )
  return {
    ...market,
    ...server,
    root,
    async cursorsOf(of) {
      const { cursors } = await workloads.withCursors(of)
      return (query, position) =>
        cursors.cursorOf(new URLSearchParams(query).get('sort') ?? 'newest', { stretch: 0, ...position })
    },
  }
}

async function compareWithOld(large: Side, old: Side): Promise<void> {
  const runs: Runs = {
    page: run(plainPage, large),
    'page, old': run(plainPage, old),
    mix: run(mix, large),
    'mix, old': run(mix, old),
  }
  const samples = await runRounds(runs, { rounds, seconds: 3 * seconds, warmUpSeconds: 1 })
  const rate = (name: string) => (samples.get(name) ?? []).map(({ perSecond }) => perSecond)
  const [{ size }, { size: oldSize }] = [await usageOf(large.market), await usageOf(old.market)]
  const [post, oldPost] = await postingTimes(large, old)
  say('\n| Of the old | New | Old | Ratio | Aim |\n|---|--:|--:|--:|--:|')
  const line = (what: string, one: number, other: number, ratio: number, aim: string) =>
    say(`| ${what} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${ratio.toFixed(2)} | ${aim} |`)
  for (const [name, aim] of [
    ['page', 'at least 0.95'],
    ['mix', 'at least 0.65'],
  ] as const) {
    const [one, other] = [rate(name), rate(`${name}, old`)]
    line(`${name}, requests a second`, median(one), median(other), median(ratios(one, other)), aim)
  }
  line('database, MB', size, oldSize, size / oldSize, 'at most 0.4')
  line('posting, ms of the database', post, oldPost, post / oldPost, 'at most 0.7')
}

/** The size of a market in megabytes and the CPU milliseconds of PostgreSQL for it. */
async function usageOf({ url }: Market): Promise<{ size: number; active: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ size: string; active: number }>(
    'select pg_database_size(datname) as size, active_time as active from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return { size: Number(rows[0]?.size) / 1e6, active: rows[0]?.active ?? Number.NaN }
}

/** Measures the CPU time of PostgreSQL per posted listing, alternating between both sides. Deletes the listings. */
async function postingTimes(large: Side, old: Side): Promise<[number, number]> {
  const posts = Number(values.posts)
  const took: [number, number] = [0, 0]
  for (let round = 0; round < rounds; round += 1)
    for (const [side, { root, market }] of [large, old].entries()) {
      const { active } = await usageOf(market)
      await postSome(root, market, posts)
      took[side === 0 ? 0 : 1] += ((await usageOf(market)).active - active) / posts / rounds
      await deletePosted(market)
    }
  return took
}

const kinds = ['Fresh', 'Heirloom', 'Young']
const crops = ['tomatoes', 'garlic', 'lemon balm', 'loofah', 'runner bean seeds']
const sentence =
  'Grown without sprays in our back garden, picked the morning you come by. Bring a bag or a box. '

async function postSome(root: string, { url }: Market, posts: number): Promise<void> {
  const feature: { postListing: typeof postListing } = await import(
    join(root, 'server/features/listings/listing.ts')
  )
  const { createDb, createPool } = await import(join(root, 'server/platform/db/database.ts'))
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 60_000 })
  await pool.query(`select setval(pg_get_serial_sequence('listings', 'id'), max(id)) from listings`)
  // Listings without photos need no image storage, and their jobs are not measured.
  const deps = {
    db: createDb(pool),
    jobs: { add: async () => {} },
    events: { publish: async () => {} },
  } as unknown as Parameters<typeof postListing>[0]
  const rest = {
    price: 3,
    is_active: true,
    is_public: true,
    type_id: 1,
    state_id: 1,
    category_id: 1,
    open_to_rings: false,
  } as const
  for (let index = 0; index < posts; index += 1) {
    const title = `${kinds[index % 3]} ${crops[index % 5]}, number ${index}`
    const owner = 1 + ((index * 37) % 50_000)
    await feature.postListing(
      deps,
      owner,
      { title, description: sentence.repeat(index % 4), ...rest },
      undefined,
    )
  }
  await pool.end()
}

async function deletePosted({ url, listings }: Market): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('delete from listings where id > $1', [listings])
  await client.end()
}

const asked = 40

/** Returns the average number of rows of a first page. Throws if a response is no page. */
async function rowsOf({ path, callers }: Question, { market, server, tokens }: Side): Promise<number> {
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

/** The maximum difference of rows between lists whose times are compared. */
const tolerated = limits.page.size / 8
const aims = { p50: 5, p99: 8, ofSmall: 1.5, combined: 15 }
/** The number of neighboring runs whose plain pages also count, for a more precise p99. */
const neighbors = 2

function report(
  samples: Samples,
  fullness: ReadonlyMap<string, readonly [number, number]>,
  lists: typeof chosen,
): void {
  const of = (run: string) => pooled(samples.get(run) ?? [])
  const pages = lists.map(([name]) => samples.get(`${name}: page`) ?? [])
  const plainly = pooledOf(pages)
  say(
    `\nThe plain page: ${plainly.perSecond.toFixed(0)} a second, p50 ${plainly.p50.toFixed(1)} ms, p99 ${plainly.p99.toFixed(1)} ms.\n`,
  )
  const heads = [
    'rows',
    'of the small',
    'p50 ms',
    'p99 ms',
    'p50, of the page’s',
    'p99, of the page’s',
    'p50, of the small’s',
    'p50, of the old’s',
  ]
  say(`| List | ${heads.join(' | ')} |`)
  say(`|---|${'--:|'.repeat(heads.length)}`)
  const missed: string[] = []
  for (const [index, [name]] of lists.entries()) {
    const [large, small, old] = [of(`${name}: large`), of(`${name}: small`), of(`${name}: old`)]
    const beside = pooledOf(pages.slice(Math.max(0, index - neighbors), index + neighbors + 1))
    const [rows, smallRows] = fullness.get(name) ?? [Number.NaN, Number.NaN]
    const isAlike = Math.abs(rows - smallRows) <= tolerated
    const ratio = (figure: 'p50' | 'p99', one: Sample, other: Sample) => one[figure] / other[figure]
    const ofPage = { p50: ratio('p50', large, beside), p99: ratio('p99', large, beside) }
    const ofSmall = isAlike ? ratio('p50', large, small) : Number.NaN
    const isMet = isCombined(name)
      ? ofPage.p50 <= aims.combined
      : ofPage.p50 <= aims.p50 && ofPage.p99 <= aims.p99 && !(ofSmall > aims.ofSmall)
    if (!isMet) missed.push(name)
    const cells = [
      rows,
      smallRows,
      large.p50,
      large.p99,
      ofPage.p50,
      ofPage.p99,
      ofSmall,
      ratio('p50', large, old),
    ]
    say(
      `| ${[name, ...cells.map((cell) => (Number.isNaN(cell) ? '–' : cell.toFixed(cell < 10 ? 2 : 1)))].join(' | ')} |`,
    )
  }
  say(`\nMissed: ${missed.length === 0 ? 'none' : missed.join('; ')}`)
}

// Lists are compared with each other, so all processes may use both cores as in production.
await withBenchSetup(120, bench, { pinned: values.pinned === 'yes' })
