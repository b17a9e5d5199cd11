import { anyOf } from '#server/platform/db/expressions.ts'
import type { Db, Tx } from '#server/tables.ts'

/** Keeps the files of photos for a report. The lock makes a deletion of the photos wait, whose job then sees that they are kept. */
export async function keepPhotos(tx: Tx, report_id: number, names: readonly string[]): Promise<void> {
  await tx
    .insertInto('kept_photos')
    .columns(['name', 'report_id', 'widths'])
    .expression((eb) =>
      eb
        .selectFrom('images')
        .select((images) => ['name', images.val(report_id).as('report_id'), 'widths'])
        .where('name', '=', anyOf([...new Set(names)]))
        .forKeyShare(),
    )
    .execute()
}

/** Keeps the files of the photos of reports no longer. */
export async function releasePhotos(tx: Tx, reports: readonly number[]): Promise<void> {
  await tx.deleteFrom('kept_photos').where('report_id', '=', anyOf(reports)).execute()
}

/** Returns those of the names whose files are kept. */
export async function listKeptPhotos(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('kept_photos')
    .select('name')
    .distinct()
    .where('name', '=', anyOf(names))
    .execute()
  return rows.map(({ name }) => name)
}
