import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Counter, Histogram } from 'prom-client'
import { databaseUnavailable, foreignKeyViolated } from './database-errors.ts'

/** The metrics of jobs. */
interface JobMetrics {
  readonly jobs: Counter<'kind' | 'outcome'>
  readonly jobSeconds: Histogram<'kind'>
}

/** A kind of job. The data must survive JSON and should have ids instead of texts of members. */
export interface JobKind<Data extends object> {
  readonly name: string
  /** The maximum number of jobs of this kind that a node runs in parallel. */
  readonly concurrency: number
  /** How long a finished or dead job is kept, if its data is personal. Otherwise it is kept for a week. */
  readonly keptSeconds: number | undefined
  /** The type of the data, which has no value at run time. */
  readonly data?: Data
}

/**
 * Declares a kind of job. A failing job is retried with growing pauses, ten times within the first hour and then once an hour for most
 * of a day, so that a mail server may be down overnight. Then it is a dead letter, which metrics, logs and `npm run admin -- jobs`
 * show.
 */
export function jobKind<Data extends object>(
  name: string,
  { concurrency = 1, keptSeconds }: { concurrency?: number; keptSeconds?: number } = {},
): JobKind<Data> {
  return { name, concurrency, keptSeconds }
}

/** A job in one of its attempts. The id is the same in all of them. */
export interface RunningJob {
  readonly id: string
  /** True if the job becomes a dead letter when this attempt fails. */
  readonly isLastAttempt: boolean
}

export interface Jobs {
  /** Adds a job in the transaction that causes it. It runs after the commit, or `afterSeconds` later. */
  add<Tables, Data extends object>(
    tx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: Data,
    afterSeconds?: number,
  ): Promise<void>
  /** Adds several jobs of a kind in one statement. The more jobs, the lower their priority. */
  addAll<Tables, Data extends object>(
    tx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: readonly Data[],
  ): Promise<void>
  /**
   * Deletes the jobs of a kind, also finished ones, whose data contains these values. For a kind with few jobs whose data is personal:
   * it reads all jobs of the kind. Other jobs may stay, because they find out that a member is gone.
   */
  deleteByData<Tables, Data extends object>(
    tx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: Partial<Data>,
  ): Promise<void>
  /**
   * Registers the handler of a kind of job. Call before `start`. It must end within `expireInSeconds`, because the job is retried then
   * while the handler still runs. It runs again at once if a row that it refers to was deleted meanwhile.
   */
  handle<Data extends object>(kind: JobKind<Data>, work: (data: Data, job: RunningJob) => Promise<void>): void
  /** Registers a repeated job with a cron expression in UTC. Call before `start`. */
  repeat(kind: JobKind<Record<never, never>>, cron: string, work: () => Promise<unknown>): void
  /** Returns the names of the kinds that have a handler. */
  kinds(): string[]
  start(): Promise<void>
  /** Waits a short time for running jobs, then leaves them to another node. */
  stop(): Promise<void>
}

interface Handler {
  readonly kind: JobKind<object>
  readonly work: (data: object, job: RunningJob) => Promise<unknown>
  readonly cron?: string
}

const pollSeconds = 2
/** Retries after 2 to 4 seconds, then after twice as long each time, up to an hour. */
const retryOptions = {
  retryLimit: 30,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  notify: true,
}
/** Retries a repeated job for a minute. Then the next repetition does its work. Keeps finished ones, of which there are many, for an hour. */
const repeatOptions = { retryLimit: 5, deleteAfterSeconds: 3600 }
const stopTimeoutMs = 2000

export function createJobs({ url, log, metrics }: { url: string; log: Logger; metrics: JobMetrics }): Jobs {
  const boss = createBoss(url, log)
  const handlers: Handler[] = []

  return {
    async add(tx, kind, data, afterSeconds = 0) {
      await boss.send(kind.name, data, {
        db: fromKysely(tx),
        ...(afterSeconds > 0 && { startAfter: afterSeconds }),
        ...(kind.keptSeconds !== undefined && { deleteAfterSeconds: kind.keptSeconds }),
      })
    },
    async addAll(tx, kind, data) {
      if (data.length === 0) return
      const priority = 1 - data.length
      const all = data.map((data) => ({ data, priority }))
      await boss.insert(kind.name, all, { db: fromKysely(tx) })
    },
    async deleteByData(tx, kind, data) {
      await sql`delete from jobs.job where name = ${kind.name} and data @> ${JSON.stringify(data)}::jsonb`.execute(
        tx,
      )
    },
    handle(kind, work) {
      handlers.push({ kind, work: work as Handler['work'] })
    },
    repeat(kind, cron, work) {
      handlers.push({ kind, work, cron })
    },
    kinds: () => handlers.map(({ kind }) => kind.name),
    async start() {
      await boss.start()
      // If the clock was once ahead, pg-boss would add no repeated jobs until then. Infinity means never.
      await boss
        .getDb()
        .executeSql(`update jobs.version set cron_on = null where cron_on > now() and cron_on < 'infinity'`)
      const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule]))
      for (const handler of handlers) {
        const { name, concurrency } = handler.kind
        await ensureQueue(boss, handler, queues.get(name))
        for (let count = 0; count < concurrency; count += 1)
          await startWorker(boss, handler, { log, metrics })
        if (handler.cron) await ensureSchedule(boss, name, handler.cron, schedules.get(name))
        schedules.delete(name)
      }
      // Repeated jobs of the previous release. It schedules them again if it starts again.
      for (const name of schedules.keys()) await boss.unschedule(name)
    },
    async stop() {
      // `boss.stop` checks only every half second whether the workers are done.
      const done = Promise.all(handlers.map(({ kind }) => boss.offWork(kind.name)))
      await Promise.race([done, sleep(stopTimeoutMs, undefined, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}

function createBoss(url: string, log: Logger): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'rhubarb jobs',
    schema: 'jobs',
    max: 4,
    connectionTimeoutMillis: 10_000,
    useListenNotify: true,
    persistWarnings: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue reported an error'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'The job queue reported a warning'))
  return boss
}

async function ensureQueue(boss: PgBoss, { kind }: Handler, queue: object | undefined): Promise<void> {
  if (queue === undefined) await boss.createQueue(kind.name, retryOptions)
  // An existing queue may have the options of an earlier version.
  else if (!isDeepStrictEqual({ ...queue, ...retryOptions }, { ...queue }))
    await boss.updateQueue(kind.name, retryOptions)
}

async function ensureSchedule(
  boss: PgBoss,
  name: string,
  cron: string,
  schedule: { cron: string; options?: object } | undefined,
): Promise<void> {
  const isUnchanged = schedule?.cron === cron && isDeepStrictEqual(schedule.options, repeatOptions)
  if (!isUnchanged) await boss.schedule(name, cron, {}, repeatOptions)
}

interface Observers {
  readonly log: Logger
  readonly metrics: JobMetrics
}

async function startWorker(boss: PgBoss, handler: Handler, observers: Observers): Promise<void> {
  let worker: string | undefined
  worker = await boss.work(
    handler.kind.name,
    // Retries that fall due send no notification, so polling must stay frequent.
    {
      includeMetadata: true,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
    },
    async (jobs: JobWithMetadata<object>[]) => {
      // All jobs of a transaction send one notification. Fetch the next job now instead of at the next poll.
      if (worker !== undefined) boss.notifyWorker(worker)
      for (const job of jobs) await runJob(handler, job, observers)
    },
  )
}

async function runJob(
  { kind, work }: Handler,
  { id, data, retryCount, retryLimit }: JobWithMetadata<object>,
  { log, metrics }: Observers,
): Promise<void> {
  const took = metrics.jobSeconds.startTimer({ kind: kind.name })
  const isLastAttempt = retryCount >= retryLimit
  try {
    await runAgainAfterDeletion(() => work(data, { id, isLastAttempt }))
    metrics.jobs.inc({ kind: kind.name, outcome: 'done' })
  } catch (error) {
    metrics.jobs.inc({ kind: kind.name, outcome: isLastAttempt ? 'dead-letter' : 'failed' })
    const details = { err: error, job: kind.name, id, tries: retryCount + 1 }
    if (isLastAttempt)
      log.error(details, 'A job failed for the last time and is a dead letter. See npm run admin -- jobs')
    else if (databaseUnavailable(error))
      log.warn(details, 'A job is retried because the database was unavailable or busy')
    else log.error(details, 'A job failed')
    throw error
  } finally {
    took()
  }
}

/**
 * Runs the work once more if a row that it refers to was deleted after it was read, such as that of a member who leaves. The second time
 * the work finds that it is gone.
 */
async function runAgainAfterDeletion(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
    if (!errors.every(foreignKeyViolated)) throw error
    await work()
  }
}

/** Runs the work for each item in turn. An error does not stop the later ones: all errors are thrown together at the end. */
export async function runEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}

/** A job that failed, with the message of its last error. */
export interface QueuedWork {
  readonly id: string
  readonly name: string
  readonly data: object
  readonly tries: number
  /** When it failed for the last time, or is tried again. */
  readonly at: string
  readonly message: string | null
}

/** The state of the queue: due jobs, the age of the oldest in seconds, and dead letters. */
export interface Queue {
  readonly due: number
  readonly oldest_seconds: number
  readonly dead_letters: number
}

/** Reads the state of the queue, without due jobs of other kinds: those of another version have no worker here. */
export async function readQueue(pool: pg.Pool, kinds: readonly string[]): Promise<Queue> {
  const { rows } = await pool.query<Queue>(
    `select count(*) filter (where state < 'active')::integer as due,
      coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active')), 0)::float as oldest_seconds,
      count(*) filter (where state = 'failed')::integer as dead_letters
    from jobs.job where (state < 'active' and start_after <= now() and name = any ($1)) or state = 'failed'`,
    [kinds],
  )
  return rows[0] ?? { due: 0, oldest_seconds: 0, dead_letters: 0 }
}

/** Returns the newest dead letters. They are deleted a week after their last attempt. */
export async function listDeadLetters<Tables>(db: Kysely<Tables>, limit: number): Promise<QueuedWork[]> {
  const { rows } = await sql<QueuedWork>`
    select id, name, data, retry_count + 1 as tries, completed_on as at, output->>'message' as message
    from jobs.job where state = 'failed' order by completed_on desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the jobs that failed and are tried again, the next ones first. */
export async function listRetrying<Tables>(db: Kysely<Tables>, limit: number): Promise<QueuedWork[]> {
  const { rows } = await sql<QueuedWork>`
    select id, name, data, retry_count as tries, start_after as at, output->>'message' as message
    from jobs.job where state = 'retry' order by start_after limit ${limit}`.execute(db)
  return rows
}

/** The jobs of a kind in a state, since when the oldest is queued, and from when the first one is due. */
export interface QueuedCount {
  readonly kind: string
  readonly state: 'waiting' | 'retrying' | 'running' | 'failed'
  readonly count: number
  readonly oldest_at: string
  readonly due_at: string
}

/** Counts the jobs that are not done by kind and state, without those that pg-boss has for itself. */
export async function countQueued<Tables>(db: Kysely<Tables>): Promise<QueuedCount[]> {
  const { rows } = await sql<QueuedCount>`
    select name as kind, count(*)::integer as count, min(created_on) as oldest_at, min(start_after) as due_at,
      case state when 'created' then 'waiting' when 'retry' then 'retrying' when 'active' then 'running' else 'failed' end as state
    from jobs.job where state in ('created', 'retry', 'active', 'failed') and not starts_with(name, '__pgboss')
    group by name, state order by name, state`.execute(db)
  return rows
}

/** Retries one dead letter, or all, from the first attempt. Returns their kinds. */
export async function retryDeadLetters<Tables>(db: Kysely<Tables>, id?: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update jobs.job set state = 'retry', retry_count = 0, start_after = now(), completed_on = null, output = null,
      keep_until = now() + interval '14 days'
    where ${isDeadLetter(id)} returning name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Deletes one dead letter, or all. Returns their kinds. */
export async function deleteDeadLetters<Tables>(db: Kysely<Tables>, id?: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    delete from jobs.job where ${isDeadLetter(id)} returning name`.execute(db)
  return rows.map(({ name }) => name)
}

function isDeadLetter(id: string | undefined) {
  return sql`state = 'failed' and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)`
}
