import pg from 'pg'
import { upsertNewestBackup } from './queries.ts'

/** PostgreSQL's error code for a missing table. */
const undefinedTable = '42P01'

/** Stores when a complete backup was taken. A database that is not migrated yet, like one before an update, has no place for it. */
export async function recordBackup(client: pg.Client, takenAt: string): Promise<void> {
  try {
    await upsertNewestBackup(client, takenAt)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === undefinedTable)) throw error
  }
}
