import type { Deps } from '#server/deps.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { deleteOldBans, deleteOldNetworks } from './queries.ts'

export const forgetNetworks = jobKind<Record<never, never>>('forget-networks')

/** The days for which the networks of registrations are stored. */
const networkDays = 30
/** The days for which bans that are over are stored, so that the audit log names them. */
const banDays = 180

export function registerBanJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  jobs.repeat(forgetNetworks, '37 3 * * *', async () => {
    await deleteOldNetworks(db, networkDays)
    await deleteOldBans(db, banDays)
  })
}
