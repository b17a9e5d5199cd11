import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Tx } from '#server/tables.ts'
import { deleteInvalidRings, deleteOldRings } from './queries.ts'
import { findRings } from './rings.ts'

/** Finds the rings that a new match completes. */
export const findRingsJob = jobKind<{ want_id: number; listing_id: number }>('find-rings')

/** Deletes old suggestions of rings, and those that are not valid any more. */
export const cleanUpRings = jobKind<Record<never, never>>('clean-up-rings')
/** Deletes those of the next rings after an id that are not valid any more. */
export const checkRings = jobKind<{ after: number }>('check-rings')

/** The days until the suggestion of a ring is deleted. */
const ringDays = 30
/** The number of rings that a transaction checks. */
const ringsPerBatch = 500

export function registerRingJobs(deps: Pick<Deps, 'db' | 'jobs' | 'realtime'>) {
  const { db, jobs } = deps
  jobs.handle(findRingsJob, (match) => findRings(deps, match))
  jobs.repeat(cleanUpRings, '23 3 * * *', () => cleanUp({ db, jobs }))
  jobs.handle(checkRings, ({ after }) => inTransaction(db, (tx) => deleteSomeInvalid({ jobs }, tx, after)))
}

/** Deletes old rings, and those that are not valid any more. They are found again when they become valid. */
async function cleanUp({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  await deleteOldRings(db, new Date(Date.now() - ringDays * 24 * 60 * 60 * 1000).toISOString())
  await inTransaction(db, (tx) => deleteSomeInvalid({ jobs }, tx, 0))
}

/** Checks the next rings after an id. The next batch is another job. */
async function deleteSomeInvalid({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, after: number): Promise<void> {
  const checked = await deleteInvalidRings(tx, after, ringsPerBatch)
  const last = checked.at(-1)
  if (last && checked.length === ringsPerBatch) await jobs.add(tx, checkRings, { after: last.id })
}
