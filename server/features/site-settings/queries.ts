import { type Insertable, sql } from 'kysely'
import type { Db, Tables, Tx } from '#server/tables.ts'

/** The channel of PostgreSQL's notifications about new versions. */
export const settingsSaved = 'site_settings_saved'

function selectVersions(db: Db) {
  return db.selectFrom('site_versions').select(['version', 'settings', 'restores', 'actor_id', 'created_at'])
}

/** Returns the newest version, or undefined if nobody has saved settings. */
export async function findNewestVersion(db: Db) {
  return selectVersions(db).orderBy('version', 'desc').limit(1).executeTakeFirst()
}
export type VersionRow = NonNullable<Awaited<ReturnType<typeof findNewestVersion>>>

export async function findVersion(db: Db, version: number): Promise<VersionRow | undefined> {
  return selectVersions(db).where('version', '=', version).executeTakeFirst()
}

/** Returns versions, newest first. */
export async function listVersions(db: Db, before: number, limit: number): Promise<VersionRow[]> {
  return selectVersions(db).where('version', '<', before).orderBy('version', 'desc').limit(limit).execute()
}

/** Serializes the changes of settings until the transaction ends. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: site settings', 0))`.execute(tx)
}

/** Stores a version and tells all nodes at the commit. */
export async function insertVersion(tx: Tx, row: Insertable<Tables['site_versions']>): Promise<void> {
  await tx.insertInto('site_versions').values(row).execute()
  await sql`select pg_notify(${settingsSaved}, ${String(row.version)})`.execute(tx)
}
