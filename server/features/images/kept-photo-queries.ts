import { sql } from 'kysely'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tx } from '#server/tables.ts'

export async function insertKeptPhotos(tx: Tx, names: readonly string[], kept_until: string): Promise<void> {
  await tx
    .insertInto('kept_photos')
    .values(names.toSorted().map((name) => ({ name, kept_until })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ kept_until }))
    .execute()
}

export async function isKeptPhoto(db: Db, name: string): Promise<boolean> {
  return (await listKeptPhotos(db, [name])).length > 0
}

/** Returns those of the names that are still kept. */
export async function listKeptPhotos(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('kept_photos')
    .select('name')
    .where('name', '=', anyOf(names))
    .where('kept_until', '>', sql<string>`now()`)
    .execute()
  return rows.map(({ name }) => name)
}

/** Deletes the marks of photos that are kept no longer. */
export async function deleteOldMarks(db: Db): Promise<void> {
  await db.deleteFrom('kept_photos').where('kept_until', '<=', sql<string>`now()`).execute()
}
