import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { mayRemove } from './hold.ts'

export const removeImage = jobKind<{ name: string; widths: number[] }>('remove-image')

/** How long files stay that somebody holds, in seconds; then they are tried again. */
const heldFor = 60

export function imageJobs({ db, jobs, images }: Pick<Deps, 'db' | 'jobs' | 'images'>) {
  jobs.handle(removeImage, (image) =>
    db.transaction().execute(async (tx) => {
      if (await mayRemove(tx)) await images.remove(image.name, image.widths)
      else await jobs.add(tx, removeImage, image, heldFor)
    }),
  )
}
