// `npm run bench:finding`: how long the database takes over a listing that 100 wants fit, among 10,000 wants and up to 1,000,000.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Deps } from '#server/deps.ts'
import { conceptTerm } from '#server/features/listings/terms.ts'
import { findWants } from '#server/features/matches/finding.ts'
import { lexicon } from '#server/features/matching/lexicon.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { startEmbeddedPostgres } from '#server/platform/db/embedded-postgres.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'

const sizes = [10_000, 100_000, 1_000_000]
const fitting = 100
const listings = Number(process.argv[2] ?? 300)

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'finding')
await rm(folder, { recursive: true, force: true })
const postgres = await startEmbeddedPostgres({
  folder: join(folder, 'postgres'),
  settings: { max_wal_size: '4GB' },
})
try {
  for (const size of sizes) await measure(size)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(wants: number): Promise<void> {
  const name = `finding_${wants}`
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  await prepareDatabase(url.href)
  await fill(url.href, wants)

  const pool = createPool({ url: url.href, pool: 1, statementTimeoutMs: 60_000 })
  const db = createDb<Tables>(pool)
  const deps = { db, jobs: { add: async () => {} }, realtime: { tell: () => {} } } as unknown as Deps
  const clock = databaseClock()
  const each: number[] = []
  for (let id = 1; id <= listings; id += 1) {
    clock.reset()
    await findWants(deps, { user_id: 0, listing_id: id })
    // The first ones find no plans and no pages.
    if (id > 20) each.push(clock.ms())
  }
  const { kept } = await db
    .selectFrom('matches')
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  if (kept !== listings * fitting) throw new Error(`${kept} matches were kept, not ${listings * fitting}`)
  await pool.end()
  each.sort((a, b) => a - b)
  const at = (share: number) => each[Math.floor(each.length * share)]?.toFixed(1)
  process.stdout.write(`${wants.toLocaleString('en')} wants: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`)
}

/** Wants of all crops there are, a hundred of which want what every listing offers; each listing is another member's. */
async function fill(url: string, wants: number): Promise<void> {
  const crops = lexicon()
    .garden.crops.map(({ key }) => key)
    .filter((key) => key !== 'okra')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const members = Math.max(1000, wants / 10)
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name, place)
     select 'member_' || n, 'member' || n || '@example.com', 'x', 'Member', 'Gardener', 97202 from generate_series(1, $1::int) n`,
    [members],
  )
  await client.query(
    `insert into wants (user_id, title, terms_version)
     select 1 + n % $2::int,
       case when n % ($1::int / ${fitting}) = 0 then 'okra' else replace(($3::text[])[1 + n % cardinality($3::text[])], '-', ' ') end, 1
     from generate_series(1, $1::int) n`,
    [wants, members, crops],
  )
  await client.query(
    `insert into want_terms (term, want_id, wanted, user_id)
     select t.term, w.id, t.wanted, w.user_id from wants w cross join lateral (
       values ('${conceptTerm('')}' || replace(w.title, ' ', '-'), true), (w.title, false), ('#group:vegetables', false)
     ) t (term, wanted)`,
  )
  // The owners want nothing.
  await client.query(
    `insert into users (username, email, password_hash, first_name, last_name)
     select 'owner_' || n, 'owner' || n || '@example.com', 'x', 'Owner', 'Gardener' from generate_series(1, $1::int) n`,
    [listings],
  )
  await client.query(
    `insert into listings (owner_id, title, description, price, is_active, is_public, type_id, state_id)
     select $2::int + n, 'Okra, picked today', 'Come and get some before noon.', 0, true, true, 3, 1 from generate_series(1, $1::int) n`,
    [listings, members],
  )
  await client.query('vacuum analyze')
  await client.end()
}

/** How long this process has waited for PostgreSQL. */
function databaseClock() {
  let waited = 0
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const from = performance.now()
    const answer = query.apply(this, values)
    if (answer instanceof Promise)
      void answer.finally(() => {
        waited += performance.now() - from
      })
    return answer
  } as typeof pg.Client.prototype.query
  return {
    reset() {
      waited = 0
    },
    ms: () => waited,
  }
}
