import type { Deps } from '#server/deps.ts'
import { isMarketIndexed } from '#server/features/listings/indexing.ts'
import { inBatches } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { reindexSomeWants } from './indexing.ts'

export const reindexWants = jobKind<Record<never, never>>('reindex-wants')

const batchSize = 20

/** Reindexes wants once all listings are indexed, because each is then matched with the listings by their terms. */
export function registerWantJobs({ db, events, jobs }: Pick<Deps, 'db' | 'events' | 'jobs'>) {
  jobs.repeat(reindexWants, '* * * * *', async () => {
    await inBatches(db, batchSize, async (tx) => {
      if (!(await isMarketIndexed(tx))) return 0
      const want_ids = await reindexSomeWants(tx, batchSize)
      await events.publish(tx, 'wants_reindexed', { want_ids })
      return want_ids.length
    })
  })
}
