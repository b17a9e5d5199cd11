import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDb, createPool } from '#server/platform/db/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start.ts'
import { prepareDatabase } from '#server/start.ts'
import type { Db, Tables } from '#server/tables.ts'
import { type OwnCore, shareCores } from './cores.ts'
import type { Samples } from './report.ts'
import type { Sample } from './sample.ts'

const folder = join(import.meta.dirname, '..', '.cache', 'bench')

/** The environment of a benchmark. `stack` stops its processes. */
export interface BenchSetup {
  /** The URL of a PostgreSQL with the settings of `npm start`. Its databases are kept for later runs. */
  readonly clusterUrl: string
  readonly ownCore: OwnCore
  readonly stack: AsyncDisposableStack
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns the command-line options, or their defaults. */
export function optionsOf<const Defaults extends Readonly<Record<string, string>>>(
  defaults: Defaults,
): Record<keyof Defaults, string> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  )
  return parseArgs({ options }).values as Record<keyof Defaults, string>
}

/** Runs a benchmark with a PostgreSQL. With `pinned`, this process is pinned to a core. */
export function withBenchSetup(
  maxMinutes: number,
  bench: (setup: BenchSetup) => Promise<void>,
  { pinned = true } = {},
): Promise<never> {
  return withTimeLimit(maxMinutes, async () => startAndRun(bench, pinned ? await pinnedCore() : []))
}

/** Runs a benchmark and ends the process when it has finished, is interrupted or times out. */
export async function withTimeLimit(maxMinutes: number, bench: () => Promise<void>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  setTimeout(() => {
    print(`The benchmark has not finished after ${maxMinutes} minutes and is stopped.`)
    process.exit(1)
  }, maxMinutes * 60_000).unref()
  await bench()
  process.exit(0)
}

async function pinnedCore(): Promise<OwnCore> {
  const ownCore = await shareCores()
  if (ownCore.length === 0)
    print(
      'The server can not be pinned to its own core (requires two cores and taskset), so the results vary more.',
    )
  return ownCore
}

async function startAndRun(bench: (setup: BenchSetup) => Promise<void>, ownCore: OwnCore): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    settings: { max_wal_size: '4GB' },
    notice: print,
  })
  stack.defer(() => postgres.stop())
  await bench({ clusterUrl: postgres.url, ownCore, stack })
}

/** Creates an empty database with the current schema, which is dropped with the setup. */
export async function newDatabase(
  { clusterUrl, stack }: Pick<BenchSetup, 'clusterUrl' | 'stack'>,
  name: string,
): Promise<string> {
  const drop = `drop database if exists ${name} with (force)`
  const cluster = new pg.Client({ connectionString: clusterUrl })
  await cluster.connect()
  await cluster.query(drop)
  await cluster.query(`create database ${name}`)
  stack.defer(async () => {
    await cluster.query(drop)
    await cluster.end()
  })
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  await prepareDatabase(url.href)
  return url.href
}

/** Opens a database for the product's own functions. It is closed with the setup. */
export function openDatabase({ stack }: Pick<BenchSetup, 'stack'>, url: string, connections: number): Db {
  const pool = createPool({ url, pool: connections, statementTimeoutMs: 60_000 })
  // Connections that are still closing when the database is dropped.
  pool.on('error', () => {})
  stack.defer(() => pool.end())
  return createDb<Tables>(pool)
}

/** The kinds of runs. Each measures for some seconds. */
export type Runs = Readonly<Record<string, (seconds: number) => Promise<Sample>>>

/** Runs each kind once per round, after a warm-up round. */
export async function runRounds(
  runs: Runs,
  { rounds, seconds, warmUpSeconds = 0 }: { rounds: number; seconds: number; warmUpSeconds?: number },
): Promise<Samples> {
  const samples = new Map(Object.keys(runs).map((name) => [name, [] as Sample[]]))
  for (let round = warmUpSeconds > 0 ? 0 : 1; round <= rounds; round += 1) {
    print(round === 0 ? 'Warming up.' : `Round ${round} of ${rounds}.`)
    for (const [name, run] of Object.entries(runs)) {
      const sample = await run(round === 0 ? warmUpSeconds : seconds)
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  return samples
}
