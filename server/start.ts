import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { registerApi, registerJobs } from './app.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { findUsername } from './features/auth/queries.ts'
import { createSessions } from './features/auth/sessions.ts'
import { createDb, createPool } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { localBus } from './platform/events/event-bus.ts'
import { postgresBus } from './platform/events/postgres-bus.ts'
import { redisBus } from './platform/events/redis-bus.ts'
import { serveHealth } from './platform/http/health.ts'
import { serveOutbox } from './platform/http/outbox.ts'
import { servePages } from './platform/http/pages.ts'
import { createServer } from './platform/http/server.ts'
import { createDecoderPool } from './platform/images/decoder-pool.ts'
import { createImages } from './platform/images/images.ts'
import { createJobs } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { outboxMailer, smtpMailer } from './platform/mail.ts'
import { createMetrics, metricsServer, watchProcess } from './platform/metrics.ts'
import { createPusher } from './platform/push.ts'
import { noRateLimits, rateLimits } from './platform/rate-limits.ts'
import { createRealtime } from './platform/realtime.ts'
import { noBursts, tokenBuckets } from './platform/token-buckets.ts'
import type { Tables } from './tables.ts'
import { openStorage } from './visit.ts'

export const migrations = join(import.meta.dirname, 'migrations')
const dist = join(import.meta.dirname, '..', 'dist')
const webClient = { folder: join(dist, 'web'), renderer: join(dist, 'ssr', 'server.js') }

/** A server that answers: where, what it is made of, and how to stop it. */
export interface Running {
  readonly url: string
  readonly deps: Deps
  readonly http: FastifyInstance
  /** Serves on for so long while it says that it will not, finishes what is under way, then lets go of everything it holds. */
  stop(drainMs?: number): Promise<void>
}

/** Brings a database to the newest schema or an older one, and creates the tables of the job queue. */
export async function prepareDatabase(databaseUrl: string, upTo?: string): Promise<void> {
  await migrate(databaseUrl, migrations, { upTo })
  const jobs = createJobs({ url: databaseUrl, log: createLog('silent'), metrics: createMetrics() })
  await jobs.start()
  await jobs.stop()
}

/** Brings up a node on a database: schema, jobs, routes, pages; then listens. */
export async function startNode(config: Config, databaseUrl: string, log: Logger): Promise<Running> {
  const metrics = createMetrics()
  const pool = createPool({
    url: databaseUrl,
    pool: config.database.pool,
    statementTimeoutMs: config.database.statementTimeoutMs,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'A database connection was lost'))
  const stopping: (() => Promise<unknown>)[] = [() => pool.end()]
  const stop = async () => {
    for (const step of stopping.reverse())
      await step().catch((error) => log.error({ err: error }, 'Stopping met an error'))
  }

  try {
    const migrated = await migrate(databaseUrl, migrations)
    if (migrated.length > 0) log.info({ migrations: migrated }, 'Migrated the database')

    const outbox = join(config.dataDir, 'outbox')
    const outcomes = metrics.mails
    const mailer = config.mail.smtpUrl
      ? smtpMailer({ url: config.mail.smtpUrl, from: config.mail.from, outcomes })
      : outboxMailer({ folder: outbox, outcomes })
    stopping.push(async () => mailer.close())

    const sessionBus = postgresBus({ url: databaseUrl, log })
    const jobs = createJobs({ url: databaseUrl, log, metrics })
    const db = createDb<Tables>(pool)
    const storage = await openStorage(config)
    const sessions = createSessions(db, sessionBus)
    const bus = config.redisUrl ? redisBus({ url: config.redisUrl, log }) : localBus
    const realtime = createRealtime({
      logins: sessions,
      bus,
      log,
      metrics,
      origin: config.publicUrl && new URL(config.publicUrl).origin,
      limited: config.rateLimits,
    })
    const decoders = createDecoderPool()
    stopping.push(() => decoders.stop())
    const deps: Deps = {
      db,
      jobs,
      mailer,
      pusher: createPusher({ contact: `mailto:${config.site.support_email}`, ...config.push }),
      images: createImages({ storage, decoders }),
      limits: config.rateLimits ? rateLimits(pool) : noRateLimits,
      bursts: config.rateLimits ? tokenBuckets : noBursts,
      sessions,
      realtime,
      publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
      site: config.site,
    }

    await sessionBus.start()
    stopping.push(() => sessionBus.stop())
    registerJobs(deps)
    await jobs.start()
    stopping.push(() => jobs.stop())

    const https = config.publicUrl?.startsWith('https:') ?? false
    const http = await createServer({ log, metrics, trustedProxies: config.trustedProxies, https })
    serveHealth(http, pool)
    await registerApi(http, deps)
    if (!config.mail.smtpUrl) serveOutbox(http, outbox)
    const pages = await servePages(http, webClient, {
      site: config.site,
      log,
      ssr: config.ssr,
      https,
      bursts: deps.bursts,
      outcomes: metrics.ssr,
      async findMember(token) {
        const caller = await sessions.find(token)
        return caller && findUsername(db, caller.id)
      },
    })
    if (!pages) log.warn('The web client is not built; only the API is served')

    stopping.push(() => http.close())
    realtime.start(http.server)
    await bus.start()
    stopping.push(() => bus.stop())
    stopping.push(() => realtime.stop())
    await http.listen({ host: config.host, port: config.port })
    watchProcess(metrics, { pool, bus })
    stopping.push(await serveMetrics(config, metrics, log))

    const { port } = http.server.address() as AddressInfo
    const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host
    return {
      url: `http://${host}:${port}`,
      deps,
      http,
      async stop(drainMs = 0) {
        http.isLeaving = true
        if (drainMs > 0) await sleep(drainMs)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const usualMetricsPort = 9464

/** On the port that is set; when none is, on the usual one, or on any when that is taken. Returns how to stop. */
async function serveMetrics(
  { metrics: { host, port } }: Config,
  metrics: ReturnType<typeof createMetrics>,
  log: Logger,
) {
  if (port === 'off') return async () => {}
  const server = metricsServer(metrics)
  const listen = (on: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(on, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  if (port === undefined) await listen(usualMetricsPort).catch(() => listen(0))
  else await listen(port)
  const address = server.address() as AddressInfo
  log.info({ url: `http://${host}:${address.port}/metrics` }, 'Metrics are served')
  return async () => {
    server.closeAllConnections()
    server.close()
  }
}
