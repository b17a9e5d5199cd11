import type { Deps } from '#server/deps.ts'
import { firstCharacters } from '#server/platform/images/images.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { mayRemove } from './lock-images.ts'
import { listKnownImages } from './queries.ts'

export const removeImage = jobKind<{ name: string; widths: number[] }>('remove-image')

/** Deletes files without a row a day after they were stored. Each job checks the files of some first characters. */
export const sweepImages = jobKind<Record<never, never>>('sweep-images')
const sweepSome = jobKind<{ characters: string }>('sweep-some-images')
const charactersPerJob = 8
const minAgeMs = 24 * 60 * 60 * 1000

/** The delay in seconds until locked files are tried again. */
const retryDelaySeconds = 60

export function imageJobs({ db, jobs, images }: Pick<Deps, 'db' | 'jobs' | 'images'>) {
  jobs.repeat(sweepImages, '23 4 * * *', () =>
    db.transaction().execute(async (tx) => {
      for (let from = 0; from < firstCharacters.length; from += charactersPerJob)
        await jobs.add(tx, sweepSome, { characters: firstCharacters.slice(from, from + charactersPerJob) })
    }),
  )
  jobs.handle(sweepSome, async ({ characters }) => {
    const before = new Date(Date.now() - minAgeMs)
    for (const first of characters) await images.sweep(first, before, (names) => listKnownImages(db, names))
  })
  jobs.handle(removeImage, (image) =>
    db.transaction().execute(async (tx) => {
      if (await mayRemove(tx)) await images.remove(image.name, image.widths)
      else await jobs.add(tx, removeImage, image, retryDelaySeconds)
    }),
  )
}
