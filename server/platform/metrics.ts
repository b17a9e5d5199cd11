import { createServer } from 'node:http'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Seconds a request took, by method, route and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly jobs: Counter<'kind' | 'outcome'>
  readonly mails: Counter<'outcome'>
  /** Members' sockets that are connected to this node. */
  readonly sockets: Gauge
  /** What clients sent over their sockets. */
  readonly events: Counter<'event' | 'outcome'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'rhubarb_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    jobs: new Counter({
      name: 'rhubarb_jobs_total',
      help: 'Jobs done, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'rhubarb_mails_total',
      help: 'Mails handed over, by outcome',
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
      help: 'Events that clients sent, by event and outcome: done, refused or failed',
      labelNames: ['event', 'outcome'],
      registers,
    }),
  }
}

/** What the process and its pool look like now. Once a process: the default metrics watch the event loop and the heap. */
export function watchProcess({ registry }: Metrics, pool: pg.Pool): void {
  collectDefaultMetrics({ register: registry })
  const read = { total: () => pool.totalCount, idle: () => pool.idleCount, waiting: () => pool.waitingCount }
  new Gauge({
    name: 'rhubarb_database_connections',
    help: 'Connections of the pool; waiting are requests that have none yet',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(read)) this.set({ state }, count())
    },
  })
}

/** Serves the metrics on a port of their own, which is not for the public. */
export function metricsServer({ registry }: Metrics) {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
  })
}
