import { sql } from 'kysely'
import type pg from 'pg'
import { listenerName } from '#server/platform/events/postgres-events.ts'
import type { Db } from '#server/tables.ts'

export async function findServerVersion(db: Db): Promise<{ version: string; number: number }> {
  const { rows } = await sql<{ version: string; number: number }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number`.execute(
    db,
  )
  return rows[0] ?? { version: '', number: 0 }
}

/** Returns the names of the migrations that the database has run, or none if it is empty. */
export async function listExecutedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(db)
  if (!tables[0]?.name) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the size of the database in bytes, and its folder if the role may know it. */
export async function findDatabaseFolder(
  db: Db,
): Promise<{ bytes: number; folder: string | null } | undefined> {
  const { rows } = await sql<{ bytes: number; folder: string | null }>`
    select pg_database_size(current_database()) as bytes,
      (select setting from pg_settings where name = 'data_directory') as folder`.execute(db)
  return rows[0]
}

/** Returns how many nodes listen to events of sessions: each has one connection for it. */
export async function countNodes(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function sumPhotos(db: Db): Promise<{ count: number; bytes: number }> {
  return db
    .selectFrom('images')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
}

export async function findNewestBackup(db: Db): Promise<string | undefined> {
  const found = await db.selectFrom('newest_backup').select('taken_at').executeTakeFirst()
  return found?.taken_at
}

/** Stores the time of a complete backup, from the connection that has taken it. */
export async function upsertNewestBackup(client: pg.Client, takenAt: string): Promise<void> {
  await client.query(
    `insert into newest_backup (taken_at) values ($1)
     on conflict (is_newest) do update set taken_at = excluded.taken_at`,
    [takenAt],
  )
}
