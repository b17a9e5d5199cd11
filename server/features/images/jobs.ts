import { image } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { inBatches, inTransaction } from '#server/platform/db/database.ts'
import { firstCharacters } from '#server/platform/images/images.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Db } from '#server/tables.ts'
import { listKeptPhotos } from './kept-photo-queries.ts'
import { isKept } from './kept-photos.ts'
import { deleteUnusedImages, listKnownImages, mayRemoveImages } from './queries.ts'

/** Deletes the files of an image whose row is deleted, as soon as no backup holds them. */
export const removeImage = jobKind<{ name: string; widths: number[] }>('remove-image')

/** Deletes files without a row a day after they were stored, by several jobs of `sweepSomeImages`. */
export const sweepImages = jobKind<Record<never, never>>('sweep-images')
/** Checks the files whose names start with one of the characters. */
const sweepSomeImages = jobKind<{ characters: string }>('sweep-some-images')
/** Deletes photos that were uploaded a day ago and never used. */
export const sweepUnusedImages = jobKind<Record<never, never>>('sweep-unused-images')
const unusedPerBatch = 200

/** The delay in seconds until the removal of locked files is tried again. */
const retryDelaySeconds = 60

export function registerImageJobs({ db, jobs, images }: Pick<Deps, 'db' | 'jobs' | 'images'>) {
  jobs.repeat(sweepImages, '23 4 * * *', async () => {
    await inTransaction(db, (tx) =>
      jobs.addAll(
        tx,
        sweepSomeImages,
        Array.from(firstCharacters, (characters) => ({ characters })),
      ),
    )
  })
  jobs.repeat(sweepUnusedImages, '11 * * * *', async () => {
    await inBatches(db, unusedPerBatch, async (tx) => {
      const unused = await deleteUnusedImages(
        tx,
        new Date(Date.now() - image.unusedLifetimeMs).toISOString(),
        unusedPerBatch,
      )
      for (const image of unused) await jobs.add(tx, removeImage, image)
      return unused.length
    })
  })
  jobs.handle(sweepSomeImages, async ({ characters }) => {
    const before = new Date(Date.now() - image.unusedLifetimeMs)
    for (const first of characters) await images.sweep(first, before, (names) => listKnown(db, names))
  })
  jobs.handle(removeImage, (image) =>
    inTransaction(db, async (tx) => {
      // The sweep deletes them when they are kept no longer.
      if (await isKept(tx, image.name)) return
      if (await mayRemoveImages(tx)) await images.remove(image.name, image.widths)
      else await jobs.add(tx, removeImage, image, retryDelaySeconds)
    }),
  )
}

/** Returns those of the names that have a row, or whose files are kept. */
async function listKnown(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set([...(await listKnownImages(db, names)), ...(await listKeptPhotos(db, names))])
}
