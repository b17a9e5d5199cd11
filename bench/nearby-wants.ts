// `npm run bench:nearby-wants`: measures the wants near a member relative to the plain page of the market.
import pg from 'pg'
import { cropsOfWant } from '#server/features/matching/crop-keys.ts'
import { readWant } from '#server/features/matching/pipeline.ts'
import { wantTermsVersion } from '#server/features/wants/indexing.ts'
import { plainPage } from './list-workloads.ts'
import { crops, type Market, members, openMarkets, openSessionsOf } from './market.ts'
import { pooled } from './sample.ts'
import { runHttp, startServer } from './server.ts'
import { type BenchSetup, optionsOf, print, runRounds, withBenchSetup } from './setup.ts'

const values = optionsOf({ listings: '1000000', wants: '1000000', seconds: '4', rounds: '5' })
const listings = Number(values.listings)
const wants = Number(values.wants)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = 16
const callers = 100
const target = 4
/** The ids of members anywhere and of members in the town, where one of ten members lives: those with a multiple of ten. */
const idsOf = (first: number) =>
  Array.from({ length: callers }, (_, index) => first + (index * members) / callers)
const callerIds = { anywhere: idsOf(1), town: idsOf(10) }

/** Gives the members so many wants, unless the market has them from an earlier run. */
async function addWants({ url }: Market): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from wants')
    if (rows[0]?.count === wants) return
    print(`Loading ${wants.toLocaleString('en')} wants.`)
    const keys = crops.map((title) => ({ title, crops: cropsOfWant(readWant({ title })) }))
    await client.query('truncate wants cascade')
    await client.query(
      `insert into wants (user_id, title, category_id, terms_version, crops, postal_code_id)
       select u.id, k.title, nullif(n % 4, 0), ${wantTermsVersion}, k.crops, u.postal_code_id
       from generate_series(1, $1::int) n join users u on u.id = 1 + n % $2::int
       join (select ordinality, x ->> 'title' as title, array(select json_array_elements_text(x -> 'crops')) as crops
         from json_array_elements($3::json) with ordinality y (x)) k
         on k.ordinality = 1 + floor(((hashint8(n) & 1048575) / 1048576.0) ^ 2 * $4::int)`,
      [wants, members, JSON.stringify(keys), keys.length],
    )
    await client.query('vacuum (analyze) wants, listings')
  } finally {
    await client.end()
  }
}

async function bench({ clusterUrl, ownCore, stack }: BenchSetup): Promise<void> {
  const [market] = await openMarkets(clusterUrl, [listings], print)
  await addWants(market)
  const tokens = await openSessionsOf(market, [...callerIds.anywhere, ...callerIds.town])
  const server = await startServer(market.url, ownCore)
  stack.defer(() => server.stop())
  const run = (path: () => string, of: readonly string[]) => (seconds: number) =>
    runHttp(path, server, of, { connections, seconds, leadInSeconds: 1 })
  const wantsPath = () => '/api/wants/nearby'
  const [anywhere, town] = [tokens.slice(0, callers), tokens.slice(callers)]
  const runs = {
    page: run(() => plainPage.path(market), anywhere),
    anywhere: run(wantsPath, anywhere),
    town: run(wantsPath, town),
  }
  const samples = await runRounds(runs, { rounds, seconds, warmUpSeconds: 2 })
  const page = pooled(samples.get('page') ?? [])
  for (const name of Object.keys(runs)) {
    const { perSecond, p50, p99 } = pooled(samples.get(name) ?? [])
    const ratio = p99 / page.p99
    const verdict =
      name === 'page'
        ? ''
        : `, p99 / page ${ratio.toFixed(2)} (${ratio <= target ? 'met' : 'missed'}: ≤ ${target})`
    print(
      `${name}: ${perSecond.toFixed(0)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${verdict}`,
    )
  }
}

// The runs are compared with each other, so all processes may use both cores as in production.
await withBenchSetup(30, bench, { pinned: false })
