import type { Deps } from '#server/deps.ts'
import { isMarketIndexed } from '#server/features/listings/indexing.ts'
import { findListings } from '#server/features/matches/finding.ts'
import {
  type PendingNotification,
  publishNotification,
} from '#server/features/notifications/notifications.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { reindexSomeWants } from './indexing.ts'

export const reindexWants = jobKind<Record<never, never>>('reindex-wants')

const batch = 20

/** Reindexes wants after the listings, and matches them anew. New matches send no mail and no push. */
export function wantJobs({ db, jobs, realtime }: Pick<Deps, 'db' | 'jobs' | 'realtime'>) {
  jobs.repeat(reindexWants, '* * * * *', async () => {
    for (let indexed = batch; indexed === batch && (await isMarketIndexed(db)); ) {
      const notifications: PendingNotification[] = []
      indexed = await db.transaction().execute(async (tx) => {
        const ids = await reindexSomeWants(tx, batch)
        for (const want_id of ids)
          notifications.push(...(await findListings({ jobs }, tx, { want_id, quiet: true })))
        return ids.length
      })
      for (const notification of notifications) publishNotification(realtime, notification)
    }
  })
}
