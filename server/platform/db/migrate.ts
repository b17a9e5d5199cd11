import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import { OperatorError } from '#server/platform/errors.ts'

export interface MigrateOptions {
  /** The last migration to run; by default the newest. */
  readonly upTo?: string | undefined
  /** The limit of a migration's wait for a lock. Later queries on the table wait behind it. */
  readonly lockTimeoutMs?: number
  /** The maximum number of attempts if a lock is not granted. */
  readonly attempts?: number
}

const maxDelayMs = 5000
const lockErrors = new Set(['55P03', '40P01'])

/**
 * Migrates the database to the newest schema with Kysely's Migrator: SQL files in the order of their names, all pending ones in one
 * transaction. Nodes that start concurrently wait for each other. Returns the names of the migrations it ran.
 * Throws OperatorError for a database of another layout, else PostgreSQL's error.
 */
export async function migrate(
  url: string,
  folder: string,
  { upTo, lockTimeoutMs = 1000, attempts = 30 }: MigrateOptions = {},
): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: url,
    // One connection holds the lock while the other reads the executed migrations.
    max: 2,
    application_name: 'rhubarb migrations',
    keepAlive: true,
    options: `-c statement_timeout=0 -c lock_timeout=${lockTimeoutMs}`,
  })
  pool.on('error', () => undefined)
  const db = new Kysely<MigrationTables>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({ db, provider: sqlFiles(folder, db) })
  try {
    for (let attempt = 1; ; attempt += 1) {
      const { error, results = [] } = await (upTo === undefined
        ? migrator.migrateToLatest()
        : migrator.migrateTo(upTo))
      if (error === undefined) return results.map(({ migrationName }) => migrationName)
      if (attempt >= attempts || !isLockError(error)) throw error
      await sleep(Math.min(lockTimeoutMs * attempt, maxDelayMs))
    }
  } finally {
    await db.destroy()
  }
}

/** Returns the names of the migrations in a folder, in their order. */
export async function listMigrations(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}

interface MigrationTables {
  kysely_migration: { name: string; timestamp: string }
}

/** Kysely refuses executed migrations without a file. Those of a newer version get an empty one, so that a release can be rolled back. */
function sqlFiles(folder: string, db: Kysely<MigrationTables>): MigrationProvider {
  return {
    async getMigrations() {
      const names = await listMigrations(folder)
      const executed = await db.selectFrom('kysely_migration').select('name').execute()
      const newest = names.at(-1) ?? ''
      const migrations: Record<string, Migration> = {}
      for (const name of names) migrations[name] = await readMigration(folder, name)
      for (const { name } of executed) {
        if (name > newest) migrations[name] = { up: async () => {} }
        else if (migrations[name] === undefined)
          throw new OperatorError(
            `The database has the migration ${name}, which this version does not know: it was made before the first release, or by another program. Its data can not be carried over. Use an empty database. (The embedded one is in DATA_DIR/postgres: stop Rhubarb and move that folder away.)`,
          )
      }
      return migrations
    },
  }
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const text = await readFile(join(folder, `${name}.sql`), 'utf8')
  return {
    up: async (tx) => {
      await sql.raw(text).execute(tx)
    },
  }
}

function isLockError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && lockErrors.has(error.code ?? '')
}
