import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { inject } from 'vitest'
import { newMember } from '#contract/auth.ts'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import type { Config } from '#server/config.ts'
import { readConfig } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { confirmAddress, createConfirmationToken } from '#server/features/auth/email-confirmation.ts'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { readLexicon } from '#server/features/matching/lexicon.ts'
import { findProfile, insertMember } from '#server/features/members/queries.ts'
import { deliverDue } from '#server/features/notifications/scheduling.ts'
import { hideListing, restoreMember, suspendMember } from '#server/features/reports/moderation.ts'
import type { JobKind } from '#server/platform/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import { startNode } from '#server/start.ts'
import type { Db, Tables } from '#server/tables.ts'
import { Actor, type NewActor, registrationOf } from './actor.ts'
import { resetCluster } from './cluster/reset.ts'
import { startMailServer } from './mail-server.ts'

export interface WorldOptions {
  /** Rate limits are off by default. */
  readonly rateLimits?: boolean
  /** Members register through the API and get a welcome mail. By default only their rows and sessions are inserted. */
  readonly registration?: boolean
  readonly config?: Partial<Config>
  /** A database that is used instead of a new one. */
  readonly databaseUrl?: string
  /** Returns the URL of a pooler in front of the database. */
  readonly pooler?: (databaseUrl: string) => Promise<string>
}

/** Starts a node on a new database with its own mail server, and offers clients for guests and members. */
export async function newWorld({
  rateLimits = false,
  registration = false,
  config: changes = {},
  databaseUrl,
  pooler,
}: WorldOptions = {}) {
  const database = await openWorldDatabase(databaseUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'rhubarb-world-'))
  const mails = await startMailServer()
  const { log, logged } = createRecordingLog()
  const pooledUrl = await pooler?.(database.url)
  const settings = { ...worldConfig({ dataDir, smtpUrl: mails.url, rateLimits }), ...changes }
  const config: Config = pooledUrl
    ? { ...settings, database: { ...settings.database, directUrl: database.url } }
    : settings
  // Like in `main.ts`. It blocks the thread for seconds on a busy machine, which delays connections to the database.
  readLexicon()
  const node = await startNode(config, pooledUrl ?? database.url, log)
  const url = node.url.replace('localhost', '127.0.0.1')
  // Apart from the node's connections, which tests count, block and cut off.
  const jobsPool = new pg.Pool({ connectionString: database.url, max: 1 }).on('error', () => {})
  const jobsDone = () => waitForJobs(jobsPool)

  const runJobOf = async <Data extends object>(kind: JobKind<Data>, data: Data) => {
    await node.deps.db.transaction().execute((tx) => node.deps.jobs.add(tx, kind, data))
    await jobsDone()
  }

  return {
    url,
    config,
    databaseUrl: database.url,
    /** The database, for checks and set-up that the API can not do. */
    db: node.deps.db,
    /** Publishes an event to members without a request. */
    publish: node.deps.realtime.publish,
    dataDir,
    /** Every line the server has logged. */
    logged,
    mailServer: mails,
    mails: mails.received,
    mailTo: (actor: { email: string }) => mails.received.filter(({ to }) => to.includes(actor.email)),

    ...memberHelpers(url, registration ? undefined : node.deps),
    ...databaseHelpers(node.deps.db),

    /** Confirms a member's address without a mail, and waits for the mails that this releases. */
    async confirm({ id, email }: Actor) {
      await jobsDone()
      await confirmAddress(
        node.deps,
        await createConfirmationToken(node.deps.db, { id, email }, randomUUID()),
      )
      await jobsDone()
    },

    /** Starts another node on the same database, optionally with other settings or through another URL. */
    node: (changes: Partial<Config> = {}, databaseUrl = pooledUrl ?? database.url) =>
      startOtherNode({ ...config, ...changes }, databaseUrl, log),

    /** Suspends a member like the operator does, without the process of the command. */
    suspend: (member: Actor) => suspendMember(node.deps, member.username),
    restore: (member: Actor) => restoreMember(node.deps, member.username),
    /** Hides a listing like the operator does, or shows it again. */
    hide: (listing: number) => hideListing(node.deps, listing, true),
    show: (listing: number) => hideListing(node.deps, listing, false),

    /** Adds a job, like a rule does. */
    addJob: <Data extends object>(kind: JobKind<Data>, data: Data) =>
      node.deps.db.transaction().execute((tx) => node.deps.jobs.add(tx, kind, data)),

    /** Runs a repeated job now. */
    runJob: (kind: JobKind<Record<never, never>>) => runJobOf(kind, {}),
    /** Runs a job with its data now. */
    runJobOf,

    /** Waits until no job is due or running. */
    jobsDone,

    /** Moves all mails and pushes to members some minutes closer, and sends those that are due. */
    async passMinutes(minutes: number) {
      await jobsDone()
      await moveDeliveries(node.deps.db, minutes)
      await runJobOf(deliverDue, {})
    },

    /** Retries the jobs that have failed now instead of after their delay. */
    async retryJobs() {
      await jobsDone()
      await makeRetriesDue(jobsPool)
      await jobsDone()
    },

    async [Symbol.asyncDispose]() {
      await jobsPool.end()
      await node.stop()
      await mails.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof newWorld>>

function worldConfig(world: { dataDir: string; smtpUrl: string; rateLimits: boolean }): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    METRICS_PORT: 'off',
    DATA_DIR: world.dataDir,
    DATABASE_POOL: '5',
    SMTP_URL: world.smtpUrl,
    PUBLIC_URL: 'https://rhubarb.test',
    PUSH_SERVICES: 'push.example',
    // Most tests use only the API.
    SSR: 'off',
    RATE_LIMITS: world.rateLimits ? 'on' : 'off',
  })
}

/** Creates a log that stores its lines. */
function createRecordingLog() {
  const logged: string[] = []
  const lines = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  })
  return { log: createLog('trace', lines), logged }
}

async function startOtherNode(config: Config, databaseUrl: string, log: Logger) {
  const node = await startNode(config, databaseUrl, log)
  const url = node.url.replace('localhost', '127.0.0.1')
  return {
    url,
    db: node.deps.db,
    publish: node.deps.realtime.publish,
    guest: () => new Actor(url),
    /** Returns a client of the same member with the same session at this node. */
    as: (actor: Actor) => actor.at(url),
    /** Stops the node after it has served requests for `drainMs`, like in a deployment. */
    drain: (drainMs: number) => node.stop(drainMs),
    [Symbol.asyncDispose]: () => node.stop(),
  }
}

/** Inserts a member and a session, which takes a tenth of the time of a registration, its mail and a login. */
async function insertActor({ db, sessions }: Pick<Deps, 'db' | 'sessions'>, actor: Actor, person: NewActor) {
  const { password, ...member } = newMember.parse(registrationOf(person))
  const password_hash = await hashPassword(password)
  const id = await insertMember(db, { ...member, password_hash })
  actor.token = await sessions.open(id, password_hash)
  actor.profile = await findProfile(db, id)
}

/** Returns functions that create clients of a node. Without `deps`, members register through the API. */
function memberHelpers(url: string, deps?: Pick<Deps, 'db' | 'sessions'>) {
  let uniqueCount = 0
  async function member(person: NewActor) {
    const actor = new Actor(url)
    await (deps ? insertActor(deps, actor, person) : actor.join(person))
    return actor
  }
  async function members<const Names extends readonly string[]>(...names: Names) {
    const joined = []
    for (const name of names) joined.push(await member({ username: name }))
    return joined as { [Index in keyof Names]: Actor }
  }
  return {
    /** Returns a client without a login. */
    guest: () => new Actor(url),

    /** Creates a member with a login. */
    member,

    /** Creates a member for each username. */
    members,

    /** Creates members with unique usernames, for tests that share a world. */
    uniqueMembers<const Names extends readonly string[]>(...names: Names) {
      uniqueCount += 1
      const unique = names.map((name) => `${name}_${uniqueCount}`)
      return members(...unique) as Promise<{ [Index in keyof Names]: Actor }>
    },

    /** Makes two members friends by a request and its acceptance. */
    async befriend(requester: Actor, other: Actor) {
      const { request_id } = await requester.call(requestFriend, { body: { friend_id: other.id } })
      if (request_id === null) throw new Error('There is no request to accept')
      await other.call(respondToFriend, { body: { request_id, accept: true } })
    },
  }
}

/** Returns functions that read the state of a database and make it fail. */
function databaseHelpers(db: Db) {
  return {
    /** Returns all jobs of a kind, finished or not. */
    async jobsOf(kind: string) {
      const { rows } = await sql<{ state: string; retry_count: number }>`
        select state::text, retry_count from jobs.job where name = ${kind} order by created_on`.execute(db)
      return rows
    },

    /** Returns how many nodes listen to PostgreSQL notifications. */
    async listeners() {
      const { rows } = await sql<{ all: number }>`
        select count(*) as all from pg_stat_activity
        where datname = current_database() and application_name = 'rhubarb listener'`.execute(db)
      return rows[0]?.all
    },

    /** Returns how many statements wait for a lock of another transaction. */
    async waitingForLocks() {
      const { rows } = await sql<{ all: number }>`
        select count(*) as all from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.all
    },

    /** Makes transactions that insert into the table fail at their commit until the result is disposed. */
    async failCommits(table: keyof Tables) {
      await sql`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'The commit is refused'; end $$`.execute(db)
      await sql`create constraint trigger refuse after insert on ${sql.table(table)}
        deferrable initially deferred for each row execute function refuse()`.execute(db)
      return {
        [Symbol.asyncDispose]: async () => void (await sql`drop function refuse cascade`.execute(db)),
      }
    },
  }
}

/** Moves the times of mails and pushes back. */
async function moveDeliveries(db: Db, minutes: number) {
  const ago = sql`make_interval(secs => ${minutes * 60})`
  await sql`update deliveries set due_at = due_at - ${ago}, sent_at = sent_at - ${ago}`.execute(db)
  // Threads may be on a cluster, whose updates use immutable operators only.
  const earlier = (time: string) => sql`(${sql.ref(time)} at time zone 'UTC' - ${ago}) at time zone 'UTC'`
  await sql`
    update threads set unread_since = ${earlier('unread_since')}, mailed_at = ${earlier('mailed_at')},
      push_due_at = ${earlier('push_due_at')}, pushed_at = ${earlier('pushed_at')}`.execute(db)
}

/** Waits until no job is due or running. Uses `clock_timestamp()` because `now()` may be older than jobs that the statement sees. */
async function waitForJobs(pool: pg.Pool) {
  for (;;) {
    const { rows } = await pool.query<{ open: number }>(
      `select count(*)::int as open from jobs.job
       where state in ('created', 'retry', 'active') and start_after <= clock_timestamp() and name not like '\\_\\_%'`,
    )
    if (rows[0]?.open === 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Makes all retries due and notifies the workers like `pg-boss` does for new jobs. */
async function makeRetriesDue(pool: pg.Pool) {
  await pool.query(
    `with due as (update jobs.job set start_after = now() where state = 'retry' returning name)
     select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), name) from due`,
  )
}

let databaseCount = 0
let admin: pg.Pool | undefined

/** Runs a statement on the database of the run, on a connection that the worlds of a worker share. */
function runAsAdmin(statement: string) {
  admin ??= new pg.Pool({
    connectionString: inject('postgresUrl'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {})
  return admin.query(statement)
}

/** Creates a database: a copy of the template, or an empty one. */
export async function newDatabase(template: 'template_world' | 'template0') {
  databaseCount += 1
  const name = `world_${process.pid}_${databaseCount}`
  // The default strategy writes pages to the WAL and takes about four times as long.
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => dropDatabase(name) }
}

/** Returns a database for a world: a given one, that of a cluster after it is emptied, or a new one. */
async function openWorldDatabase(given: string | undefined) {
  const clusterUrl = inject('clusterUrl')
  if (!given && !clusterUrl) return newDatabase('template_world')
  if (!given && clusterUrl) await resetCluster(clusterUrl)
  return { url: given ?? clusterUrl ?? '', drop: async () => {} }
}

const closingMs = 1000

/** Drops a database. Waits for closing connections first, which would report an error. */
async function dropDatabase(name: string) {
  const connections = `select from pg_stat_activity where datname = '${name}'`
  await waitUntil(async () => (await runAsAdmin(connections)).rowCount === 0, closingMs)
  await runAsAdmin(`drop database ${name} with (force)`)
}
