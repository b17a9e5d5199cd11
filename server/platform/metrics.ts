import { createServer } from 'node:http'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { EventBus } from './events/event-bus.ts'
import { type Jobs, type Queue, readQueue } from './jobs.ts'

export interface Metrics {
  readonly registry: Registry
  /** Seconds a request took, by method, route and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly jobs: Counter<'kind' | 'outcome'>
  /** Seconds a job took, by kind. */
  readonly jobSeconds: Histogram<'kind'>
  readonly mails: Counter<'outcome'>
  /** Members' sockets that are connected to this node. */
  readonly sockets: Gauge
  /** Counts the events from sockets. */
  readonly events: Counter<'event' | 'outcome'>
  /** Pages that were rendered on the server. */
  readonly ssr: Counter<'outcome'>
  /** Reads that may come from a replica. */
  readonly replicaReads: Counter<'outcome'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const metrics: Metrics = {
    registry,
    requests: new Histogram({
      name: 'rhubarb_http_request_seconds',
      help: 'Duration of HTTP requests in seconds',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    jobs: new Counter({
      name: 'rhubarb_jobs_total',
      help: 'Finished attempts of jobs, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'rhubarb_job_seconds',
      help: 'Duration of attempts of jobs in seconds',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120],
      registers,
    }),
    mails: new Counter({
      name: 'rhubarb_mails_total',
      help: 'Attempts to send mails, by outcome: sent, failed (tried again), deferred (by the mailbox, tried again) or refused (by the mailbox, for good)',
      labelNames: ['outcome'],
      registers,
    }),
    sockets: new Gauge({
      name: 'rhubarb_sockets',
      help: 'Connected sockets of members',
      registers,
    }),
    events: new Counter({
      name: 'rhubarb_socket_events_total',
      help: 'Events from clients, by event and outcome: done, refused or failed',
      labelNames: ['event', 'outcome'],
      registers,
    }),
    ssr: new Counter({
      name: 'rhubarb_ssr_total',
      help: 'Pages by outcome: rendered, fallback (the app shell, because rendering failed) or failed',
      labelNames: ['outcome'],
      registers,
    }),
    replicaReads: new Counter({
      name: 'rhubarb_replica_reads_total',
      help: 'Reads by where they ran: on the replica, or on the primary after an own_write, with the replica left_out, or repeated after an error or a missing row',
      labelNames: ['outcome'],
      registers,
    }),
  }
  // An alert compares outcomes, and one without a series equals nothing.
  for (const outcome of ['sent', 'failed', 'deferred', 'refused']) metrics.mails.inc({ outcome }, 0)
  for (const outcome of ['rendered', 'fallback', 'failed']) metrics.ssr.inc({ outcome }, 0)
  return metrics
}

/** The minimum interval between two queries for gauges, because every node has these metrics. */
const minReadIntervalMs = 10_000

/**
 * Registers gauges of the process, its connection pool, the job queue and the event bus. Call it once per process, because the default
 * metrics measure the event loop and the heap.
 */
export function watchProcess(
  { registry }: Metrics,
  { pool, bus, jobs }: { pool: pg.Pool; bus: EventBus; jobs: Pick<Jobs, 'kinds'> },
): void {
  collectDefaultMetrics({ register: registry })
  const read = { total: () => pool.totalCount, idle: () => pool.idleCount, waiting: () => pool.waitingCount }
  new Gauge({
    name: 'rhubarb_database_connections',
    help: 'Connections of the pool; waiting are requests without a connection',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(read)) this.set({ state }, count())
    },
  })
  new Gauge({
    name: 'rhubarb_event_bus_connected',
    help: '1 if this node is connected to Redis, or Redis is not configured; else 0',
    registers: [registry],
    collect() {
      this.set(bus.isConnected() ? 1 : 0)
    },
  })
  watchQueue(registry, pool, jobs.kinds())
}

/** Registers gauges of the job queue, which are the same on every node. */
function watchQueue(registry: Registry, pool: pg.Pool, kinds: readonly string[]) {
  watchDatabase<Queue>(registry, () => readQueue(pool, kinds), [
    ['rhubarb_jobs_due', 'Jobs that are due', 'due'],
    ['rhubarb_jobs_oldest_due_seconds', 'Age of the oldest due job in seconds', 'oldest_seconds'],
    ['rhubarb_jobs_dead_letters', 'Jobs that failed for the last time', 'dead_letters'],
  ])
}

/** Registers a gauge for each column of a query with one row. While the query fails, they keep their last values. */
export function watchDatabase<Row extends { readonly [Column in keyof Row]: number }>(
  registry: Registry,
  read: () => Promise<Row>,
  gauges: readonly (readonly [name: string, help: string, column: keyof Row])[],
): void {
  let row: Promise<Row | undefined> = Promise.resolve(undefined)
  let readAt = Number.NEGATIVE_INFINITY
  function currentRow() {
    if (performance.now() - readAt > minReadIntervalMs) {
      readAt = performance.now()
      row = read().catch(() => undefined)
    }
    return row
  }
  for (const [name, help, column] of gauges)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const row = await currentRow()
        if (row) this.set(row[column])
      },
    })
}

/** Creates the server of the metrics, whose port must not be public. */
export function metricsServer({ registry }: Metrics) {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const metrics = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(metrics)
    } catch {
      response.writeHead(503).end()
    }
  })
}
