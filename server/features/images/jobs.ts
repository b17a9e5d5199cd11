import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'

export const removeImage = jobKind<{ name: string; widths: number[] }>('remove-image')

export function imageJobs({ jobs, images }: Pick<Deps, 'jobs' | 'images'>) {
  jobs.handle(removeImage, ({ name, widths }) => images.remove(name, widths))
}
