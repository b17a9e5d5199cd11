import { limits } from '#contract/constants.ts'
import { imageMessages } from '#contract/images.ts'
import type { Deps } from '#server/deps.ts'
import { databaseUnavailable } from '#server/platform/database-errors.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { StoredImage } from '#server/platform/images/images.ts'
import type { Purpose } from '#server/platform/images/renditions.ts'
import type { Db, Tx } from '#server/tables.ts'
import { removeImage } from './jobs.ts'
import {
  type DeletedImage,
  deleteImageNamed,
  deleteImages,
  deleteImagesOf,
  insertImage,
  lockImagesOf,
  sumImageBytes,
} from './queries.ts'

const maxBytes = limits.photos.maxMegabytes * 1024 * 1024

/** An image with its row. */
export interface InsertedImage extends StoredImage {
  readonly id: number
}

/**
 * Stores the file, then runs the work in a transaction that also inserts the image's row. If the work fails, the stored image is
 * deleted. Without a file the work gets no image. A logo is of the site, so the member who sends it is not its owner. Throws `conflict` if
 * the member's images would exceed the quota.
 */
export async function withImage<Result>(
  { db, images }: Pick<Deps, 'db' | 'images'>,
  { memberId, file, purpose }: { memberId: number; file: UploadedFile | undefined; purpose: Purpose },
  work: (tx: Tx, image: InsertedImage | undefined) => Promise<Result>,
): Promise<Result> {
  const owner = purpose === 'logo' ? null : memberId
  if (file && owner !== null) await requireQuota(db, owner, 0)
  const image = file && (await images.store(file.path, purpose, memberId, file.signal))
  try {
    return await inTransaction(db, async (tx) => {
      if (!image) return work(tx, undefined)
      if (owner !== null) {
        await lockImagesOf(tx, owner)
        await requireQuota(tx, owner, image.bytes)
      }
      const id = await insertImage(tx, { ...image, owner_id: owner, purpose })
      return work(tx, { ...image, id })
    })
  } catch (error) {
    // If the database is away, the commit may have succeeded. Files that remain without a row are swept a day later.
    if (image && !databaseUnavailable(error))
      await images.remove(image.name, image.widths).catch(() => undefined)
    throw error
  }
}

/** Throws `conflict` if the member's images and so many more bytes exceed the quota. */
async function requireQuota(db: Db, memberId: number, bytes: number): Promise<void> {
  if ((await sumImageBytes(db, memberId)) + bytes > maxBytes)
    throw new AppError('conflict', imageMessages.quotaExceeded)
}

/** Deletes the row of an image, by its name. Its files are deleted after the commit. */
export async function dropImage({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, name: string): Promise<void> {
  await removeFiles({ jobs }, tx, await deleteImageNamed(tx, name))
}

/** Deletes the rows of images. Their files are deleted after the commit. */
export async function dropImages(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await removeFiles({ jobs }, tx, await deleteImages(tx, ids))
}

/** Deletes the rows of a member's images, except those of messages. Their files are deleted after the commit. */
export async function dropImagesOf({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, owner: number): Promise<void> {
  await removeFiles({ jobs }, tx, await deleteImagesOf(tx, owner))
}

/** Deletes the files of images after the commit. */
export async function removeFiles(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  images: readonly DeletedImage[],
): Promise<void> {
  for (const image of images) await jobs.add(tx, removeImage, image)
}
