import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { deleteOldNotifications } from './queries.ts'

const cleanUp = jobKind<Record<never, never>>('clean-up-notifications')

const keptDays = 90

export function registerNotificationJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(cleanUp, '37 * * * *', async () => {
    const before = new Date(Date.now() - keptDays * 24 * 60 * 60 * 1000)
    await deleteOldNotifications(db, before.toISOString())
  })
}
