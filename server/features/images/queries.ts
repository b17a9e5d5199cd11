import { sql } from 'kysely'
import { anyOf } from '#server/platform/db/expressions.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Purpose } from '#server/platform/images/renditions.ts'
import type { Db, Row } from '#server/tables.ts'
import { lockKey } from './lock-images.ts'
import type { PhotoRow } from './paths.ts'

/** Inserts the row of a stored image and returns its id. */
export async function insertImage(
  db: Db,
  image: StoredImage & { readonly owner_id: number | null; readonly purpose: Purpose },
): Promise<number> {
  const { id } = await db.insertInto('images').values(image).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The files of an image whose row was deleted. */
export type DeletedImage = Pick<Row<'images'>, 'name' | 'widths'>

/** Deletes the row of an image and returns its files, or nothing if there is none. */
export async function deleteImageNamed(db: Db, name: string): Promise<DeletedImage[]> {
  return db.deleteFrom('images').where('name', '=', name).returning(['name', 'widths']).execute()
}

export async function deleteImages(db: Db, ids: readonly number[]): Promise<DeletedImage[]> {
  return db.deleteFrom('images').where('id', '=', anyOf(ids)).returning(['name', 'widths']).execute()
}

/** Deletes the images of a member, except those of messages, which belong to the other side too. */
export async function deleteImagesOf(db: Db, owner: number): Promise<DeletedImage[]> {
  return db
    .deleteFrom('images')
    .where('owner_id', '=', owner)
    .where('message_id', 'is', null)
    .returning(['name', 'widths'])
    .execute()
}

/** Deletes photos that were uploaded before a time and never used, the oldest first. */
export async function deleteUnusedImages(tx: Db, before: string, limit: number): Promise<DeletedImage[]> {
  const { rows } = await sql<DeletedImage>`
    delete from images where id = any (array(
      select id from images
      where purpose = 'photo' and listing_id is null and message_id is null and created_at < ${before}
      order by created_at limit ${limit} for update skip locked
    )) returning name, widths`.execute(tx)
  return rows
}

/** Returns the bytes of all images of a member. */
export async function sumImageBytes(db: Db, owner: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('images')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Serializes the uploads of a member until the transaction ends. */
export async function lockImagesOf(tx: Db, owner: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rhubarb: images', ${owner}))`.execute(tx)
}

/** Returns whether files may be removed, and keeps `lockImages` waiting until the transaction ends. */
export async function mayRemoveImages(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lockKey}) as may`.execute(tx)
  return rows[0]?.may === true
}

const photoColumns = ['id', 'name', 'width', 'height', 'placeholder', 'widths', 'alt'] as const

/** Changes the description of a member's photo. Returns undefined if the member has no such photo, or has sent it in a message. */
export async function updateAlt(
  db: Db,
  { id, owner_id, alt }: { id: number; owner_id: number; alt: string | null },
): Promise<Omit<PhotoRow, 'position'> | undefined> {
  return db
    .updateTable('images')
    .set({ alt })
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .where('purpose', '=', 'photo')
    .where('message_id', 'is', null)
    .returning(photoColumns)
    .executeTakeFirst()
}

/** Locks the photos of a listing and those of the given ones that its owner may add to it. */
export function lockUsablePhotos(tx: Db, owner_id: number, listing_id: number, ids: readonly number[]) {
  return tx
    .selectFrom('images')
    .select(['id', 'listing_id'])
    .where(({ eb, or }) =>
      or([
        eb('listing_id', '=', listing_id),
        eb('id', '=', anyOf(ids))
          .and('owner_id', '=', owner_id)
          .and('purpose', '=', 'photo')
          .and('listing_id', 'is', null)
          .and('message_id', 'is', null),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Returns the ids of a listing's photos in their order. */
export async function listPhotoIds(db: Db, listing_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('listing_id', '=', listing_id)
    .orderBy('position')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sets the positions of a listing's photos to this order. The photos are locked. */
export async function updatePositions(tx: Db, listing_id: number, ids: readonly number[]): Promise<void> {
  // Positions are unique, so the old ones are removed before the new ones are set.
  await tx.updateTable('images').set({ position: null }).where('listing_id', '=', listing_id).execute()
  await sql`
    update images i set listing_id = ${listing_id}, position = placed.position - 1
    from unnest(${[...ids]}::bigint[]) with ordinality placed (id, position) where i.id = placed.id`.execute(
    tx,
  )
}

/** Returns those of the names that have a row. */
export async function listKnownImages(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('images').select('name').where('name', '=', anyOf(names)).execute()
  return new Set(rows.map(({ name }) => name))
}
