import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Tables } from '#server/tables.ts'

export async function insertImage(
  db: Db<Tables>,
  { name, width, height, placeholder, widths }: StoredImage,
): Promise<void> {
  await db.insertInto('images').values({ name, width, height, placeholder, widths }).execute()
}

/** Deletes an image's row. Returns the widths of its renditions, or undefined if there was no row. */
export async function deleteImage(db: Db<Tables>, name: string): Promise<number[] | undefined> {
  const deleted = await db
    .deleteFrom('images')
    .where('name', '=', name)
    .returning('widths')
    .executeTakeFirst()
  return deleted?.widths
}

/** Returns those of the images that have a row. */
export async function listKnownImages(
  db: Db<Tables>,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('images')
    .select('name')
    .where('name', '=', sql<string>`any(${[...names]}::text[])`)
    .execute()
  return new Set(rows.map(({ name }) => name))
}
