import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { deleteOldWrites } from './queries.ts'

const deleteOld = jobKind<Record<never, never>>('delete-old-writes')

export function registerRecentWriteJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(deleteOld, '* * * * *', () => deleteOldWrites(db))
}
