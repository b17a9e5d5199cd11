import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { registerApi, registerJobs, registerSubscribers } from './app.ts'
import { checkedSite } from './checked-site.ts'
import type { Config } from './config.ts'
import { openStorage } from './configured-data.ts'
import type { Deps } from './deps.ts'
import { environmentSettings } from './environment-settings.ts'
import { createSessions } from './features/auth/sessions.ts'
import { countMail } from './features/figures/figures.ts'
import { createUploadLimits } from './features/images/upload-limits.ts'
import { refuseAddress } from './features/invitations/refused-addresses.ts'
import { createReads } from './features/recent-writes/reads.ts'
import { type CheckedSite, reasonOf } from './features/site-checks/check.ts'
import type { NodeState } from './features/site-checks/node-state.ts'
import { bannerOf } from './features/site-settings/banner.ts'
import { createSite } from './features/site-settings/site.ts'
import { watchTrades } from './features/trades/metrics.ts'
import { migrations } from './migrations-folder.ts'
import { connectionRefused } from './platform/database-errors.ts'
import { createDb, createPool, sessionSettings } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { checkPooler } from './platform/db/pooler.ts'
import { createReplica, type Replica } from './platform/db/replica.ts'
import { watchReplica } from './platform/db/replica-metrics.ts'
import { createDomainEvents } from './platform/domain-events.ts'
import { OperatorError } from './platform/errors.ts'
import { type EventBus, type EventReceiver, localBus } from './platform/events/event-bus.ts'
import { postgresEvents } from './platform/events/postgres-events.ts'
import { redisBus } from './platform/events/redis-bus.ts'
import { builtClient } from './platform/http/built-client.ts'
import { warnOfDeployment } from './platform/http/deployment-warnings.ts'
import { serveHealth } from './platform/http/health.ts'
import { serveOutbox } from './platform/http/outbox.ts'
import { servePages, type WebClient } from './platform/http/pages.ts'
import { serveSecurityText } from './platform/http/security-txt.ts'
import { createServer } from './platform/http/server.ts'
import { createTranslators } from './platform/i18n/translator.ts'
import { createDecoderPool } from './platform/images/decoder-pool.ts'
import { createImages } from './platform/images/images.ts'
import { createJobs } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { type Mailer, type MailerOptions, outboxMailer, smtpMailer } from './platform/mail.ts'
import { createMetrics, type Metrics, metricsServer, watchProcess } from './platform/metrics.ts'
import { createPusher } from './platform/push.ts'
import { noRateLimits, rateLimits } from './platform/rate-limits.ts'
import { createRealtime } from './platform/realtime/realtime.ts'
import { noTokenBuckets, tokenBuckets } from './platform/token-buckets.ts'
import { release } from './release.ts'
import type { Db, Tables } from './tables.ts'

const dist = join(import.meta.dirname, '..', 'dist')

/** Returns the web client that a node serves; undefined if there is none. */
export type OpenClient = () => Promise<WebClient | undefined>

const openBuilt: OpenClient = () => builtClient(join(dist, 'web'), join(dist, 'ssr', 'server.js'))

/** A running node. */
export interface Running {
  readonly url: string
  readonly deps: Deps
  readonly http: FastifyInstance
  /** Reports not ready for `drainMs` while it still serves, finishes open requests, then releases everything. */
  stop(drainMs?: number): Promise<void>
}

/** Migrates a database to the newest schema or to an older one, and creates the tables of the job queue. */
export async function prepareDatabase(databaseUrl: string, upTo?: string): Promise<void> {
  await migrate(databaseUrl, migrations, { upTo })
  const jobs = createJobs({ url: databaseUrl, log: createLog('silent'), metrics: createMetrics() })
  await jobs.start()
  await jobs.stop()
}

/** Migrates a database to this release. Throws `OperatorError` if it can not be used. */
async function migrateToThisRelease(databaseUrl: string): Promise<string[]> {
  try {
    return await migrate(databaseUrl, migrations)
  } catch (error) {
    if (!connectionRefused(error)) throw error
    throw new OperatorError(
      `PostgreSQL can not be used: ${reasonOf(error)}.\nStart PostgreSQL, or correct DATABASE_URL and DATABASE_PASSWORD.`,
      { cause: error },
    )
  }
}

/** Starts a node on a database: migrates it, starts the jobs, registers the routes and pages, and listens. */
export async function startNode(
  config: Config,
  databaseUrl: string,
  log: Logger,
  openClient: OpenClient = openBuilt,
): Promise<Running> {
  const stack = new AsyncDisposableStack()
  const stop = () =>
    stack.disposeAsync().catch((error) => log.error({ err: error }, 'An error occurred while stopping'))
  try {
    const migrated = await migrateToThisRelease(config.database.directUrl ?? databaseUrl)
    if (migrated.length > 0) log.info({ migrations: migrated }, 'Migrated the database')
    const parts = await createParts(config, databaseUrl, log, stack)
    await startJobs(parts, stack)
    const http = await createHttp(config, parts, log, await openClient())
    await listen(config, parts, http, stack)
    stack.defer(await serveMetrics(config, parts.metrics, log))
    void checkMailer(parts.deps.mailer, log)
    return {
      url: urlOf(http, config),
      deps: parts.deps,
      http,
      async stop(drainMs = 0) {
        http.isDraining = true
        if (drainMs > 0) await sleep(drainMs)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The parts of a node. Features receive `deps`; the others are started and stopped here. */
interface Parts {
  readonly deps: Deps
  readonly pool: Pool
  readonly metrics: Metrics
  /** Receives what transactions publish: ended sessions and saved settings. */
  readonly databaseEvents: EventReceiver
  /** Publishes events of sockets to other nodes. */
  readonly bus: EventBus
  readonly realtime: ReturnType<typeof createRealtime>
  readonly jobs: ReturnType<typeof createJobs>
}

async function createParts(
  config: Config,
  url: string,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<Parts> {
  const metrics = createMetrics()
  const { pool: size, statementTimeoutMs, directUrl = url } = config.database
  const pooler = directUrl !== url
  const pool = createPool({ url, pool: size, statementTimeoutMs, pooler })
  pool.on('error', (error) => log.warn({ err: error }, 'A database connection was lost'))
  stack.defer(() => pool.end())
  if (pooler) await checkPooler(pool, sessionSettings(statementTimeoutMs))
  const db = createDb<Tables>(pool)
  const replica = connectReplica(config, directUrl, log)
  stack.defer(async () => replica?.stop())
  watchReplica(metrics, replica)
  const { publicUrl: origin, publicUrl = `http://localhost:${config.port}` } = config
  const databaseEvents = postgresEvents({ url: directUrl, log })
  const site = createSite(db, { events: databaseEvents, log, environment: environmentSettings(config) })
  stack.defer(async () => site.stop())
  const mailer = createMailer(config, { publicUrl, site: site.current, ...mailObservers(db, metrics, log) })
  stack.defer(() => mailer.close())
  const limits = config.rateLimits ? rateLimits(pool) : noRateLimits
  const uploads = createUploadLimits(limits)
  const decoders = createDecoderPool({ onDecoded: uploads.countDecoding })
  stack.defer(() => decoders.stop())
  const sessions = createSessions(db, databaseEvents)
  const bus = config.redisUrl ? redisBus({ url: config.redisUrl, log }) : localBus
  const buckets = config.rateLimits ? tokenBuckets : noTokenBuckets
  const realtime = createRealtime({ logins: sessions, bus, log, metrics, origin, tokenBuckets: buckets })
  const jobs = createJobs({ url: directUrl, log, metrics })
  const deps: Deps = {
    db,
    reads: createReads({ db, log, outcomes: metrics.replicaReads }, replica),
    jobs,
    events: createDomainEvents(),
    mailer,
    pusher: createPusher({ contact: () => `mailto:${site.current().support_email}`, ...config.push, log }),
    images: createImages({ storage: await openStorage(config), decoders }),
    uploads,
    limits,
    tokenBuckets: buckets,
    sessions,
    realtime,
    publicUrl,
    site,
    pagesDir: config.site.pages_dir,
    region: config.region,
    trustedProxies: config.trustedProxies,
    translatorFor: createTranslators(config.region, () => site.current().name),
    node: nodeState(config, checkedSite(config, db, site.current), bus, replica),
  }
  return { deps, pool, metrics, databaseEvents, bus, realtime, jobs }
}

/** Returns what the desk shows of this node. */
function nodeState(
  { redisUrl }: Config,
  site: CheckedSite,
  bus: EventBus,
  replica: Replica<Tables> | undefined,
): NodeState {
  return {
    release,
    site,
    redis: () => (redisUrl === undefined ? null : bus.isConnected()),
    replica: () => replica && { lag_ms: finite(Math.round(replica.lagMs())), is_used: replica.isUsable() },
  }
}

/** Returns null for infinity: JSON has no such number. */
function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null
}

function connectReplica({ database }: Config, primaryUrl: string, log: Logger) {
  const { readUrl, ...options } = database
  if (readUrl === undefined) return undefined
  return createReplica<Tables>({
    ...options,
    url: readUrl,
    primaryUrl,
    maxLagMs: options.maxReplicaLagMs,
    log,
  })
}

/** Returns what is told of each attempt to send a mail. A count that fails must not repeat the mail. */
function mailObservers(
  db: Db,
  metrics: Metrics,
  log: Logger,
): Pick<MailerOptions, 'onOutcome' | 'onRefused'> {
  return {
    async onOutcome(outcome) {
      metrics.mails.inc({ outcome })
      await countMail(db, outcome).catch((error) => log.warn({ err: error }, 'A mail was not counted'))
    },
    onRefused: (address) => refuseAddress(db, address),
  }
}

function createMailer({ mail, dataDir }: Config, options: MailerOptions): Mailer {
  return mail.smtpUrl
    ? smtpMailer({ ...options, url: mail.smtpUrl, from: mail.from })
    : outboxMailer({ ...options, folder: outboxIn(dataDir), from: mail.from })
}

/** Logs a warning if the mail server does not accept the login. Members are served without it, and mails are retried. */
async function checkMailer(mailer: Mailer, log: Logger): Promise<void> {
  try {
    await mailer.check()
  } catch (error) {
    log.warn({ err: error }, 'The mail server can not be used: check SMTP_URL. Mails are tried again')
  }
}

function outboxIn(dataDir: string): string {
  return join(dataDir, 'outbox')
}

async function startJobs(
  { deps, databaseEvents, jobs, metrics }: Parts,
  stack: AsyncDisposableStack,
): Promise<void> {
  await databaseEvents.start()
  // Later changes are heard.
  await deps.site.refresh()
  stack.defer(() => databaseEvents.stop())
  registerSubscribers(deps)
  watchTrades(metrics, deps)
  registerJobs(deps)
  await jobs.start()
  stack.defer(() => jobs.stop())
}

/** Creates the HTTP server with health checks, the API, the outbox and the pages. */
async function createHttp(
  config: Config,
  { deps, pool, metrics }: Parts,
  log: Logger,
  client: WebClient | undefined,
) {
  const { trustedProxies, ssr } = config
  const https = config.publicUrl?.startsWith('https:') ?? false
  const http = await createServer({ log, metrics, trustedProxies, https })
  warnOfDeployment(http, config.publicUrl)
  serveHealth(http, pool)
  await registerApi(http, deps)
  serveSecurityText(http, {
    contact: () => config.securityContact ?? `mailto:${deps.site.current().support_email}`,
    url: deps.publicUrl,
  })
  if (!config.mail.smtpUrl) serveOutbox(http, outboxIn(config.dataDir))
  if (client === undefined) {
    log.warn('The web client is not built, so only the API is served. Run npm run build and start again')
    return http
  }
  await servePages(http, client, {
    site: () => ({ ...deps.site.current(), banner: bannerOf(deps.site.current()) }),
    region: deps.region,
    publicUrl: deps.publicUrl,
    canonicalUrl: config.publicUrl,
    ssr,
    https,
    tokenBuckets: deps.tokenBuckets,
    outcomes: metrics.ssr,
    findMember: deps.sessions.findMember,
  })
  return http
}

async function listen(
  { host, port }: Config,
  { realtime, bus, jobs, metrics, pool }: Parts,
  http: FastifyInstance,
  stack: AsyncDisposableStack,
): Promise<void> {
  stack.defer(() => http.close())
  realtime.start(http.server)
  await bus.start()
  stack.defer(() => bus.stop())
  stack.defer(() => realtime.stop())
  await http.listen({ host, port })
  watchProcess(metrics, { pool, bus, jobs })
}

function urlOf(http: FastifyInstance, config: Config): string {
  const { port } = http.server.address() as AddressInfo
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host
  return `http://${host}:${port}`
}

const defaultMetricsPort = 9464

/** Serves metrics on the configured port, else on the default one or any free one. Returns a function that stops it. */
async function serveMetrics({ metrics: { host, port } }: Config, metrics: Metrics, log: Logger) {
  if (port === 'off') return async () => {}
  const server = metricsServer(metrics)
  const listen = (on: number) => once(server.listen(on, host), 'listening')
  if (port === undefined) await listen(defaultMetricsPort).catch(() => listen(0))
  else await listen(port)
  const address = server.address() as AddressInfo
  log.info({ url: `http://${host}:${address.port}/metrics` }, 'Metrics are served')
  return async () => {
    server.closeAllConnections()
    server.close()
  }
}
