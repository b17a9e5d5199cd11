import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { requestFriend, respondToFriend } from '#contract/friends.ts'
import type { Config } from '#server/config.ts'
import { readConfig } from '#server/config.ts'
import { readLexicon } from '#server/features/matching/lexicon.ts'
import { suspendMember } from '#server/features/reports/moderation.ts'
import type { JobKind } from '#server/platform/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { startNode } from '#server/start.ts'
import type { Tables } from '#server/tables.ts'
import { Actor, type NewActor } from './actor.ts'
import { startMailServer } from './mail-server.ts'

export interface WorldOptions {
  /** Limits on attempts are off unless a test is about them. */
  readonly rateLimits?: boolean
  readonly config?: Partial<Config>
}

/** A whole Rhubarb of a test's own: a database, a server on a free port, a mail server, and its members. */
export async function newWorld({ rateLimits = false, config: changes = {} }: WorldOptions = {}) {
  const database = await newDatabase('template_world')
  const dataDir = await mkdtemp(join(tmpdir(), 'rhubarb-world-'))
  const mails = await startMailServer()
  const logged: string[] = []
  const log = createLog(
    'trace',
    new Writable({
      write(line, _encoding, done) {
        logged.push(String(line))
        done()
      },
    }),
  )
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      METRICS_PORT: 'off',
      DATA_DIR: dataDir,
      DATABASE_POOL: '5',
      SMTP_URL: mails.url,
      PUBLIC_URL: 'https://rhubarb.test',
      // Most tests are about the API.
      SSR: 'off',
      RATE_LIMITS: rateLimits ? 'on' : 'off',
    }),
    ...changes,
  }
  // As in `main.ts`. It takes seconds on a busy machine, and no connection to the database opens meanwhile.
  readLexicon()
  const node = await startNode(config, database.url, log)
  const url = node.url.replace('localhost', '127.0.0.1')
  let newcomers = 0

  return {
    url,
    config,
    databaseUrl: database.url,
    /** For looking behind the doors, and for what no door does yet. */
    db: node.deps.db,
    /** Publishes an event to members without a request. */
    publish: node.deps.realtime.publish,
    dataDir,
    /** Every line the server has logged. */
    logged,
    mailServer: mails,
    mails: mails.received,
    mailTo: (actor: { email: string }) => mails.received.filter(({ to }) => to.includes(actor.email)),

    /** Someone without an account. */
    guest: () => new Actor(url),

    /** Registers a member by each name, through the API, and logs them in. */
    async members<const Names extends readonly string[]>(...names: Names) {
      const members = []
      for (const name of names) members.push(await this.member({ username: name }))
      return members as { [Index in keyof Names]: Actor }
    },

    /** The same by names that are made unique, for tests that share a world. */
    newcomers<const Names extends readonly string[]>(...names: Names) {
      newcomers += 1
      const unique = names.map((name) => `${name}_${newcomers}`)
      return this.members(...unique) as Promise<{ [Index in keyof Names]: Actor }>
    },

    async member(person: NewActor) {
      const actor = new Actor(url)
      await actor.join(person)
      return actor
    },

    /** Another node on the same database, as on a second machine; or on it by another way, or with other settings. */
    async node(changes: Partial<Config> = {}, databaseUrl = database.url) {
      const other = await startNode({ ...config, ...changes }, databaseUrl, log)
      const otherUrl = other.url.replace('localhost', '127.0.0.1')
      return {
        url: otherUrl,
        db: other.deps.db,
        publish: other.deps.realtime.publish,
        guest: () => new Actor(otherUrl),
        /** The same member, with the same login, talking to this node. */
        meet: (actor: Actor) => actor.at(otherUrl),
        /** As at a deployment: serves on for so long, then stops. */
        leave: (drainMs: number) => other.stop(drainMs),
        [Symbol.asyncDispose]: () => other.stop(),
      }
    },

    /** Makes two members friends, as they do it themselves. */
    async befriend(one: Actor, other: Actor) {
      const { request_id } = await one.call(requestFriend, { body: { friend_id: other.id } })
      if (request_id === null) throw new Error('There is no request to accept')
      await other.call(respondToFriend, { body: { request_id, accept: true } })
    },

    /** Suspends a member as the operator does. */
    suspend: (member: Actor) => suspendMember(node.deps, member.username),

    /** Does now what is done again and again. */
    async runJob(kind: JobKind<Record<never, never>>) {
      await node.deps.db.transaction().execute((tx) => node.deps.jobs.add(tx, kind, {}))
      await this.jobsDone()
    },

    /** Every job of a kind that was ever added, done or not. */
    async jobsOf(kind: string) {
      const { rows } = await sql<{ state: string; retry_count: number }>`
        select state::text, retry_count from jobs.job where name = ${kind} order by created_on`.execute(
        node.deps.db,
      )
      return rows
    },

    /** How many nodes hear what the others tell. */
    async listeners() {
      const { rows } = await sql<{ all: number }>`
        select count(*) as all from pg_stat_activity
        where datname = current_database() and application_name = 'rhubarb listener'`.execute(node.deps.db)
      return rows[0]?.all
    },

    /** How many statements wait for a lock that another transaction holds. */
    async waitingForLocks() {
      const { rows } = await sql<{ all: number }>`
        select count(*) as all from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(node.deps.db)
      return rows[0]?.all
    },

    /** From now on, a transaction that adds a row to the table fails at its commit. */
    async failCommits(table: keyof Tables) {
      await sql`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'The commit is refused'; end $$`.execute(node.deps.db)
      await sql`create constraint trigger refuse after insert on ${sql.table(table)}
        deferrable initially deferred for each row execute function refuse()`.execute(node.deps.db)
    },

    /** Waits until no job is waiting or running. By the clock: `now()` may be older than what the same statement sees. */
    async jobsDone() {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      try {
        for (;;) {
          const { rows } = await client.query<{ open: number }>(
            `select count(*)::int as open from jobs.job
             where state in ('created', 'active') and start_after <= clock_timestamp() and name not like '\\_\\_%'`,
          )
          if (rows[0]?.open === 0) return
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      } finally {
        await client.end()
      }
    },

    async [Symbol.asyncDispose]() {
      await node.stop()
      await mails.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof newWorld>>

let copies = 0

/** A database of its own beside those of the worlds: a copy of the template, or an empty one. */
export async function newDatabase(template: 'template_world' | 'template0') {
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  copies += 1
  const name = `world_${process.pid}_${copies}`
  // Page by page through the log, as is usual, takes some four times as long.
  await admin(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) }
}
