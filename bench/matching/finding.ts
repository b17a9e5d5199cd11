// `npm run bench:finding`: measures the database time of a listing that fits 100 wants among 10,000 to 1,000,000.
import pg from 'pg'
import type { RhubarbEvents } from '#server/domain-events.ts'
import { matchListingWithWants } from '#server/features/matches/finding.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { createDomainEvents } from '#server/platform/domain-events.ts'
import { createJobs } from '#server/platform/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import type { Tables } from '#server/tables.ts'
import { sampleOf } from '../sample.ts'
import { type BenchSetup, optionsOf, print, withBenchSetup } from '../setup.ts'
import { createWantDatabase, insertRareListings, type WantDatabase } from './database.ts'

const values = optionsOf({ wants: '10000,100000,1000000', listings: '500' })
const sizes = values.wants.split(',').map(Number)
const listings = Number(values.listings)
const matchingWants = 100
/** The number of listings before the measurement, so that plans, cached pages and table statistics exist. */
const warmUp = 100

/** The phases of matching. */
const phases = ['finding', 'storing', 'scheduling', 'commit'] as const
type Phase = (typeof phases)[number]

function phaseOf(text: string): Phase {
  if (/^(begin|commit)|synchronous_commit/.test(text)) return 'commit'
  if (/notifications|deliveries|jobs\./.test(text)) return 'scheduling'
  return /into matches|update matches|for key share/.test(text) ? 'storing' : 'finding'
}

async function bench(setup: BenchSetup): Promise<void> {
  print(`| Wants | ${phases.join(' | ')} | all |\n|---|${'--:|'.repeat(phases.length + 1)}`)
  for (const wants of sizes) {
    const size = { wants, members: Math.max(1000, wants / 10), owners: listings, matchingWants }
    await measure(await createWantDatabase(setup, `finding_${wants}`, size))
  }
}

async function measure(database: WantDatabase): Promise<void> {
  const { url, wants } = database
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await insertRareListings(client, database)
  const pool = createPool({ url, pool: 1, statementTimeoutMs: 60_000 })
  const db = createDb<Tables>(pool)
  const jobs = createJobs({ url, log: createLog('warn'), metrics: createMetrics() })
  jobs.handle(deliverDue, async () => {})
  await jobs.start()
  const events: RhubarbEvents = createDomainEvents()
  const clock = databaseClock()
  const took: Record<Phase | 'all', number[]> = {
    finding: [],
    storing: [],
    scheduling: [],
    commit: [],
    all: [],
  }
  for (let id = 1; id <= listings; id += 1) {
    clock.reset()
    await matchListingWithWants(
      { db, events, jobs, realtime: { publish: () => {} } },
      { user_id: 0, listing_id: id },
    )
    if (id === warmUp) await client.query('vacuum analyze')
    if (id <= warmUp) continue
    for (const phase of phases) took[phase].push(clock.waited[phase])
    took.all.push(phases.reduce((sum, phase) => sum + clock.waited[phase], 0))
  }
  clock.stop()
  const { rows } = await client.query<{ stored: number; notified: number }>(
    `select (select count(*)::int from matches) as stored, (select count(distinct (user_id, listing_id))::int from notifications) as notified`,
  )
  const all = listings * matchingWants
  if (rows[0]?.stored !== all || rows[0].notified !== all)
    throw new Error(`Of ${all} matches, ${rows[0]?.stored} were stored and ${rows[0]?.notified} notified`)
  await jobs.stop()
  await pool.end()
  await client.end()
  const cells = [...phases, 'all' as const].map((phase) => {
    const { p50, p99 } = sampleOf(0, took[phase])
    return `${p50.toFixed(1)} / ${p99.toFixed(1)}`
  })
  print(`| ${wants.toLocaleString('en')} | ${cells.join(' | ')} |`)
}

/** The time that this process has waited for PostgreSQL, by phase. */
function databaseClock() {
  const waited: Record<Phase, number> = { finding: 0, storing: 0, scheduling: 0, commit: 0 }
  const { query } = pg.Client.prototype
  const timed = function (this: pg.Client, ...args: unknown[]) {
    const from = performance.now()
    const result: unknown = Reflect.apply(query, this, args)
    const [first] = args
    const text = typeof first === 'string' ? first : (first as pg.QueryConfig).text
    if (result instanceof Promise)
      void result.finally(() => {
        waited[phaseOf(text)] += performance.now() - from
      })
    return result
  }
  pg.Client.prototype.query = timed as typeof query
  return {
    waited,
    reset() {
      for (const phase of phases) waited[phase] = 0
    },
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

await withBenchSetup(60, bench)
