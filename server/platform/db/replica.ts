import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { databaseUnavailable } from '#server/platform/database-errors.ts'
import { createDb, createPool, type DatabaseOptions, type Db } from './database.ts'

/** A read-only copy of the primary by streaming replication. */
export interface Replica<Tables> {
  /** The host and port. */
  readonly name: string
  /** Returns the age in milliseconds of the newest state of the primary that the replica has surely replayed. */
  lagMs(): number
  /** Returns whether the replica responds and does not lag too much. */
  isUsable(): boolean
  /** Runs the work on the replica. Throws its errors. After an error of the connection the replica is unusable until it responds again. */
  run<Result>(work: (db: Db<Tables>) => Promise<Result>): Promise<Result>
  stop(): Promise<void>
}

const defaultMaxLagMs = 5000
const probeIntervalMs = 500
/** Less than a member notices, because a read that times out is repeated on the primary. */
const timeoutMs = 1000
/** Positions of eight minutes, so that a larger lag is measured too. */
const maxPositions = 1000

interface ReplicaOptions extends Pick<DatabaseOptions, 'url' | 'pool' | 'statementTimeoutMs'> {
  /** The primary without a pooler. */
  readonly primaryUrl: string
  readonly maxLagMs?: number | undefined
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** A position in the WAL as a number, and the cluster and the database that it belongs to. */
interface Position {
  readonly position: number | null
  readonly identity: string
}

/** Positions at a time of this node. The position `written` was read after `at`. */
interface Measurement {
  readonly at: number
  readonly written: number
  readonly replayed: number
}

const identity = `(select system_identifier from pg_control_system()) || ' ' || current_database() as identity`
const written = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as position, ${identity}`
const replayed = `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end as position, ${identity}`

/** Connects to a replica, and measures its lag until it is stopped. */
export function createReplica<Tables>({
  url,
  primaryUrl,
  pool,
  statementTimeoutMs,
  maxLagMs = defaultMaxLagMs,
  log,
}: ReplicaOptions): Replica<Tables> {
  const connect = (url: string, pool: number) =>
    createPool({ url, pool, statementTimeoutMs: Math.min(statementTimeoutMs, timeoutMs) }).on(
      'error',
      () => undefined,
    )
  const reads = connect(url, pool)
  // The probes have their own connections: under load they would wait in the pool.
  const [primary, replica] = [connect(primaryUrl, 1), connect(url, 1)]
  const db = createDb<Tables>(reads)
  const meter = createLagMeter()
  const isUsable = () => meter.lagMs() <= maxLagMs

  const stopping = new AbortController()
  async function probeUntilStopped() {
    let wasUsable: boolean | undefined
    while (!stopping.signal.aborted) {
      const error = await measurePositions(primary, replica).then(meter.measured, (error: unknown) => error)
      if (error) meter.reset()
      if (isUsable() !== wasUsable) {
        wasUsable = isUsable()
        if (wasUsable) log.info('The replica is used')
        else log.warn({ err: error, lagMs: meter.lagMs() }, 'The replica is left out')
      }
      await sleep(probeIntervalMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const probing = probeUntilStopped()

  return {
    name: new URL(url).host,
    lagMs: meter.lagMs,
    isUsable,
    async run(work) {
      try {
        return await work(db)
      } catch (error) {
        if (databaseUnavailable(error)) meter.reset()
        throw error
      }
    },
    async stop() {
      stopping.abort()
      await probing
      await Promise.all([reads.end(), primary.end(), replica.end()])
    },
  }
}

/** Reads the positions of the primary and then of the replica. Throws if it is not a replica of the primary. */
async function measurePositions(primary: pg.Pool, replica: pg.Pool): Promise<Measurement> {
  const at = performance.now()
  const now = await positionOf(primary, written)
  const then = await positionOf(replica, replayed)
  if (now.identity !== then.identity) throw new Error('It is not a replica of the database of DATABASE_URL')
  if (now.position === null || then.position === null) throw new Error('It is not in recovery')
  if (then.position > now.position) {
    const { position: latest } = await positionOf(primary, written)
    if (latest !== null && then.position > latest)
      throw new Error('It is ahead of the primary: a failover has lost writes that it has')
  }
  return { at, written: now.position, replayed: then.position }
}

async function positionOf(pool: pg.Pool, query: string): Promise<Position> {
  const { rows } = await pool.query<Position>(query)
  const [position] = rows
  if (!position) throw new Error('The database returned no position')
  return position
}

/**
 * Measures the lag by positions in the WAL at times of this node. So it is right while nobody writes, when the replica has lost its
 * primary, and for clocks that differ.
 */
function createLagMeter() {
  /** Positions of the primary, oldest first. The replica has not replayed those after the first. */
  let positions: { readonly written: number; readonly at: number }[] = []
  let replayedAt = Number.NEGATIVE_INFINITY
  return {
    lagMs: () => performance.now() - replayedAt,
    measured({ at, written, replayed }: Measurement): void {
      positions.push({ written, at })
      const newest = positions.findLastIndex((position) => position.written <= replayed)
      replayedAt = positions[newest]?.at ?? replayedAt
      positions = positions.slice(Math.max(newest, positions.length - maxPositions, 0))
    },
    /** Lets the lag be unlimited until the next measurement. */
    reset() {
      replayedAt = Number.NEGATIVE_INFINITY
    },
  }
}
