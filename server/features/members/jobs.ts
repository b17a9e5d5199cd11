import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { deleteOldUsernames } from './taken-name-queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-usernames')

export function registerMemberJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(cleanUp, '7 * * * *', () => deleteOldUsernames(db))
}
