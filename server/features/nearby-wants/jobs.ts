import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { countCropWeek } from './crop-seasons.ts'

export const countCropWeekJob = jobKind<Record<never, never>>('count-crop-week')

export function registerNearbyWantJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(countCropWeekJob, '41 3 * * *', () => countCropWeek(db))
}
