import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import { createUnnamedDb } from './database.ts'

/**
 * Brings the database to the newest schema: plain forward-only SQL files, in the order of their names, each once.
 * Nodes that start at the same moment take turns (Kysely holds an advisory lock), so all may call it.
 * Returns the names of the migrations it ran; throws what PostgreSQL said of the one that failed.
 */
export async function migrate(pool: pg.Pool, folder: string): Promise<string[]> {
  const migrator = new Migrator({
    db: createUnnamedDb(pool),
    provider: {
      async getMigrations() {
        const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
        const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
        return Object.fromEntries(
          files.map((file, index) => [
            file.replace(/\.sql$/, ''),
            { up: async (db) => void (await sql.raw(texts[index] ?? '').execute(db)) },
          ]),
        )
      },
    },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}
