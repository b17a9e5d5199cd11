import type { Deps } from '#server/deps.ts'
import { isMarketIndexed } from '#server/features/listings/indexing.ts'
import { findListings } from '#server/features/matches/finding.ts'
import {
  type PendingNotification,
  publishNotification,
} from '#server/features/notifications/notifications.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { fileSomeWants } from './filing.ts'

export const catchUpWants = jobKind<Record<never, never>>('catch-up-wants')

const batch = 20

/** Files wants by the rules of today, once all listings are, and finds what fits them by these: that is told in the app alone. */
export function wantJobs({ db, jobs, realtime }: Pick<Deps, 'db' | 'jobs' | 'realtime'>) {
  jobs.repeat(catchUpWants, '* * * * *', async () => {
    for (let filed = batch; filed === batch && (await isMarketIndexed(db)); ) {
      const notices: PendingNotification[] = []
      filed = await db.transaction().execute(async (tx) => {
        const ids = await fileSomeWants(tx, batch)
        for (const want_id of ids)
          notices.push(...(await findListings({ jobs }, tx, { want_id, quiet: true })))
        return ids.length
      })
      for (const notice of notices) publishNotification(realtime, notice)
    }
  })
}
