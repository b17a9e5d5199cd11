import type { Transaction } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { databaseUnavailable } from '#server/platform/db/database.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Purpose } from '#server/platform/images/renditions.ts'
import type { Tables } from '#server/tables.ts'
import { removeImage } from './jobs.ts'
import { deleteImage, insertImage } from './queries.ts'

/**
 * Stores the file, then runs the work in a transaction that also inserts the image's row. If the work fails, the stored image is
 * deleted. Without a file the work gets no image.
 */
export async function withImage<Result>(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  { memberId, file, purpose }: { memberId: number; file: UploadedFile | undefined; purpose: Purpose },
  work: (tx: Transaction<Tables>, image: StoredImage | undefined) => Promise<Result>,
): Promise<Result> {
  const image = file && (await images.store(file.path, purpose, memberId))
  try {
    return await db.transaction().execute(async (tx) => {
      if (image) await insertImage(tx, image)
      return work(tx, image)
    })
  } catch (error) {
    // An unanswered commit may have succeeded. Files without a row are swept a day later.
    if (image && !databaseUnavailable(error)) await images.remove(image.name, image.widths)
    throw error
  }
}

/** Deletes an unused image's row. Its files are deleted after the commit. */
export async function dropImage(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  name: string,
): Promise<void> {
  const widths = await deleteImage(tx, name)
  if (widths) await jobs.add(tx, removeImage, { name, widths })
}
