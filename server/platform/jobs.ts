import { sql, type Transaction } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Counter } from 'prom-client'

/** A kind of job. The data must survive JSON; put ids in it, not people's words. */
export interface JobKind<Data extends object> {
  readonly name: string
  readonly retryLimit: number
  /** Only a type: what `add` takes and the handler gets. */
  readonly data?: Data
}

/** Declares a kind of job. A failing one is tried again with growing pauses, then parked as failed, where metrics and logs show it. */
export function jobKind<Data extends object>(name: string, { retryLimit = 10 } = {}): JobKind<Data> {
  return { name, retryLimit }
}

export interface Jobs {
  /** Adds the job within the transaction that causes it: both commit, or neither. */
  add<Tables, Data extends object>(tx: Transaction<Tables>, kind: JobKind<Data>, data: Data): Promise<void>
  /** Forgets all jobs, also those done, whose data holds these values: with a member goes what was to be done for them. */
  forget<Tables>(tx: Transaction<Tables>, data: Record<string, string | number>): Promise<void>
  /** Says who does a kind of job. Call before `start`. */
  handle<Data extends object>(kind: JobKind<Data>, work: (data: Data) => Promise<void>): void
  /** Says what is done again and again, by a cron expression in UTC. Call before `start`. */
  repeat(kind: JobKind<Record<never, never>>, cron: string, work: () => Promise<void>): void
  start(): Promise<void>
  /** Lets running jobs finish for a moment, then leaves them to another node. */
  stop(): Promise<void>
}

interface Handler {
  readonly kind: JobKind<object>
  readonly work: (data: object) => Promise<void>
  readonly cron?: string
}

const pollSeconds = 2
const stopPatienceMs = 2000

export function createJobs(options: { url: string; log: Logger; done: Counter<'kind' | 'outcome'> }): Jobs {
  const { log, done } = options
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: 'rhubarb jobs',
    schema: 'jobs',
    max: 4,
    connectionTimeoutMillis: 3000,
    useListenNotify: true,
    persistWarnings: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue met an error'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'The job queue warns'))

  const handlers: Handler[] = []

  async function work({ kind, work }: Handler, data: object) {
    try {
      await work(data)
      done.inc({ kind: kind.name, outcome: 'done' })
    } catch (error) {
      done.inc({ kind: kind.name, outcome: 'failed' })
      log.error({ err: error, job: kind.name }, 'A job failed')
      throw error
    }
  }

  return {
    async add(tx, kind, data) {
      await boss.send(kind.name, data, { db: fromKysely(tx) })
    },
    async forget(tx, data) {
      await sql`delete from jobs.job where data @> ${JSON.stringify(data)}::jsonb`.execute(tx)
    },
    handle(kind, work) {
      handlers.push({ kind, work: work as Handler['work'] })
    },
    repeat(kind, cron, work) {
      handlers.push({ kind, work, cron })
    },
    async start() {
      await boss.start()
      for (const handler of handlers) {
        const { name, retryLimit } = handler.kind
        await boss.createQueue(name, {
          retryLimit,
          retryDelay: 2,
          retryBackoff: true,
          retryDelayMax: 3600,
          expireInSeconds: 120,
          notify: true,
        })
        let worker: string | undefined
        worker = await boss.work<object>(
          name,
          // Nothing notifies of a retry that falls due, so polling stays as quick beside notifications.
          { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds },
          async (jobs) => {
            // Many of a transaction are notified of once: after one there may be another, which would wait for the next poll.
            if (worker !== undefined) boss.notifyWorker(worker)
            for (const job of jobs) await work(handler, job.data)
          },
        )
        if (handler.cron) await boss.schedule(name, handler.cron)
      }
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: stopPatienceMs })
    },
  }
}
