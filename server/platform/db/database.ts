import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Compilable,
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { isDeadlock } from '#server/platform/database-errors.ts'

export type Db<Tables> = Kysely<Tables>

export interface DatabaseOptions {
  readonly url: string
  readonly pool: number
  readonly statementTimeoutMs: number
  /** True if the URL is that of a pooler, which sets `sessionSettings`. It refuses them as startup options. */
  readonly pooler?: boolean
}

/** Reads values in the forms of the API: ids and money as numbers, timestamps as ISO 8601 with milliseconds. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTimestamp)
// A date stays `2027-06-12`: the default is a moment in the time zone of the server.
types.setTypeParser(pg.types.builtins.DATE, String)

/** Converts PostgreSQL's form in UTC: `2026-05-01 12:00:00.123456+00`. */
function isoTimestamp(text: string): string {
  const milliseconds =
    text.charAt(19) === '.' ? text.slice(20, text.indexOf('+')).padEnd(3, '0').slice(0, 3) : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** The time after the statement timeout until a query fails if the database does not answer. */
const noAnswerMs = 1000

/**
 * Returns the settings of every connection, in the names and units of `pg_settings`: timeouts and the time zone UTC. Memoize is off:
 * the planner sizes its hash table for the whole list although a page reads only a short part of it.
 */
export function sessionSettings(statementTimeoutMs: number): Readonly<Record<string, string>> {
  return {
    statement_timeout: `${statementTimeoutMs}`,
    lock_timeout: `${statementTimeoutMs}`,
    idle_in_transaction_session_timeout: '10000',
    TimeZone: 'UTC',
    plan_cache_mode: 'auto',
    enable_memoize: 'off',
  }
}

/** Creates a pool of connections with the session settings. */
export function createPool({ url, pool: max, statementTimeoutMs, pooler }: DatabaseOptions): pg.Pool {
  const settings = Object.entries(sessionSettings(statementTimeoutMs))
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 60_000,
    // For a database that does not report the statement timeout.
    query_timeout: statementTimeoutMs + noAnswerMs,
    keepAlive: true,
    application_name: 'rhubarb',
    ...(!pooler && { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
    types,
  })
  // The pool replaces an idle connection that is lost, and the next query of a used one fails. Their error events, which end a process
  // without a listener, add nothing; a node logs those of idle ones.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The pools of databases. Transactions are not listed: their statements run on their own connection. */
const pools = new WeakMap<object, pg.Pool>()

/** Creates a Kysely that prepares every statement under a name, once per connection. */
export function createDb<Tables>(pool: pg.Pool): Db<Tables> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) })
  pools.set(db, pool)
  return db
}

type KyselyPool = Exclude<ConstructorParameters<typeof PostgresDialect>[0]['pool'], () => unknown>

/** The name of each statement. Texts come from the code, never from a request, so their number is limited. */
const names = new Map<string, string>()
const maxNames = 2000

/** A statement that begins with this comment gets no name. */
const unprepared = '/* unprepared */'

function nameOf(text: string): string | undefined {
  if (text.startsWith(unprepared)) return undefined
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** The client's timeout of queries of `inLongTransaction`. */
const queryTimeouts = new AsyncLocalStorage<number>()

function named(text: string, values: readonly unknown[] = []) {
  return { name: nameOf(text), text, values: [...values], query_timeout: queryTimeouts.getStore() }
}

/** The message of pg's error when a query times out. */
const readTimeout = 'Query read timeout'

function namingPool(pool: pg.Pool): KyselyPool {
  return {
    options: pool.options as object,
    connect: async () => {
      const client = await pool.connect()
      let timeout: Error | undefined
      async function run(text: string, values: readonly unknown[] | undefined) {
        // After a timeout pg reports nothing about later queries on the connection.
        if (timeout) throw timeout
        try {
          return await client.query(named(text, values))
        } catch (error) {
          if (error instanceof Error && error.message === readTimeout) timeout = error
          throw error
        }
      }
      return {
        query: (text: unknown, values?: readonly unknown[]) => {
          if (typeof text !== 'string') throw new TypeError('Cursors are not supported')
          return run(text, values) as never
        },
        release: () => client.release(timeout !== undefined),
      } as Awaited<ReturnType<KyselyPool['connect']>>
    },
    end: () => pool.end(),
  }
}

/** Statements that a transaction runs first. An error ends the transaction. */
type Precondition = (tx: QueryRunner) => Promise<void>

const preconditions = new AsyncLocalStorage<Precondition | undefined>()

/** Runs the work. Each `inTransaction` in it runs the precondition first. With `undefined` there is none. */
export function withPrecondition<Result>(
  precondition: Precondition | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return preconditions.run(precondition, work)
}

/** The work of open transactions that waits for their commit. */
const afterCommits = new WeakMap<object, (() => void)[]>()

/**
 * Runs the work after the commit of a transaction of `inTransaction`. It is dropped if the transaction is rolled back. The work must
 * not throw.
 */
export function afterCommit<Tables>(tx: Transaction<Tables>, work: () => void): void {
  const deferred = afterCommits.get(tx)
  if (deferred === undefined) throw new Error('Begin the transaction with inTransaction')
  deferred.push(work)
}

const maxAttempts = 3

/**
 * Runs a transaction and retries it after a deadlock. The work may run more than once: outside the database it
 * may only do what can be repeated, or what `afterCommit` defers.
 * https://www.postgresql.org/docs/18/explicit-locking.html#LOCKING-DEADLOCKS
 */
export async function inTransaction<Tables, Result>(
  db: Db<Tables>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const deferred: (() => void)[] = []
    let result: Result
    try {
      result = await db.transaction().execute(async (tx) => {
        afterCommits.set(tx, deferred)
        await preconditions.getStore()?.(tx)
        return work(tx)
      })
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error
      continue
    }
    for (const run of deferred) run()
    return result
  }
}

/** Runs a transaction whose statements may take this long each, for jobs. */
export function inLongTransaction<Tables, Result>(
  db: Db<Tables>,
  statementTimeoutMs: number,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return queryTimeouts.run(statementTimeoutMs + noAnswerMs, () =>
    inTransaction(db, async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(tx)
      return work(tx)
    }),
  )
}

/** Less than the minute until a repeated job runs again. */
const maxBatchesMs = 50_000

/**
 * Runs a transaction for each batch of rows until one is smaller than `size`, or for most of a minute: the next run takes the others.
 * `work` returns how many it took.
 */
export async function inBatches<Tables>(
  db: Db<Tables>,
  size: number,
  work: (tx: Transaction<Tables>) => Promise<number>,
): Promise<void> {
  const end = performance.now() + maxBatchesMs
  while ((await inTransaction(db, work)) >= size && performance.now() < end);
}

const deletedPerBatch = 10_000

/**
 * Deletes the rows of a table that meet a condition, in batches. One statement for many rows would exceed the statement timeout. It is
 * not prepared, because a plan for any value of the condition would expect to reach the limit soon and scan the table.
 */
export async function deleteInBatches<Tables>(
  db: Db<Tables>,
  table: keyof Tables & string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await inBatches(db, deletedPerBatch, async (tx) => {
    const { numAffectedRows } =
      await sql`${sql.raw(unprepared)} delete from ${sql.table(table)} where ctid = any (array(
      select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(deletedPerBatch)} for update skip locked
    ))`.execute(tx)
    return Number(numAffectedRows)
  })
}

/** Runs statements: a database or a transaction. */
type QueryRunner = Pick<Kysely<never>, 'executeQuery'>

/**
 * Returns a function that runs a fixed statement with the values `$1…`, for queries of every request. On a database it bypasses
 * Kysely, which takes a tenth of the time to read a listing. It also runs in a transaction.
 */
export function statement<Values extends readonly unknown[], Row extends object>(text: string) {
  return async (db: QueryRunner, ...values: Values): Promise<Row[]> => {
    const pool = pools.get(db)
    const { rows } = pool
      ? await pool.query<Row>(named(text, values))
      : await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
    return rows
  }
}

/** Prepares a statement that returns at most one row. */
export function rowStatement<Values extends readonly unknown[], Row extends object>(text: string) {
  const run = statement<Values, Row>(text)
  return async (db: QueryRunner, ...values: Values): Promise<Row | undefined> => {
    const [row] = await run(db, ...values)
    return row
  }
}

/**
 * Runs a statement without a name, so that PostgreSQL plans it for these values. Planning takes less than a millisecond. Use it if
 * the best plan depends on the frequency of a word or the length of an array.
 */
export async function runUnprepared<Row extends object>(
  db: QueryRunner,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(`${unprepared} ${text}`, [...values]))
  return rows
}

/** Runs a statement of Kysely without a name. Use it if a request chooses the columns, because each choice is another text. */
export async function executeUnprepared(db: QueryRunner, query: Compilable): Promise<void> {
  const { sql: text, parameters: values } = query.compile()
  await runUnprepared(db, { text, values })
}
