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

/** Returns the widths of the renditions that are now nobody's; undefined when there was no such image. */
export async function deleteImage(db: Db<Tables>, name: string): Promise<number[] | undefined> {
  const gone = await db.deleteFrom('images').where('name', '=', name).returning('widths').executeTakeFirst()
  return gone?.widths
}

/** Of these images, those that have a row. */
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
