import { sql, type Updateable } from 'kysely'
import type { TypeId } from '#contract/constants.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tables } from '#server/tables.ts'

export interface EditedRow {
  type_id: TypeId
  price: number
  image_name: string | null
}

/** What an edit starts from, held until the transaction ends: another edit of the listing waits. */
export async function findListingForUpdate(tx: Db<Tables>, id: number): Promise<EditedRow | undefined> {
  return tx
    .selectFrom('listings')
    .select(['type_id', 'price', 'image_name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateListingRow(
  tx: Db<Tables>,
  id: number,
  changes: Updateable<Tables['listings']>,
): Promise<void> {
  await tx
    .updateTable('listings')
    // The clock, not the transaction's start: whoever waited for the row comes later than the one before.
    .set({ ...changes, updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Returns what it left behind; undefined when there was no such listing any more. */
export async function deleteListingRow(
  tx: Db<Tables>,
  id: number,
): Promise<Pick<EditedRow, 'image_name'> | undefined> {
  return tx.deleteFrom('listings').where('id', '=', id).returning('image_name').executeTakeFirst()
}
