import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { jobKind } from '#server/platform/jobs.ts'
import { sendMail, sendPush } from './scheduling.ts'

/** A job of the previous release, which may also wait for the confirmation of an address. */
interface PreviousData {
  readonly user_id: number
  readonly partner_id?: number
  readonly trade_id?: number
}

/** The jobs of the previous release with their topics. Remove them with the next release. */
const previous = [
  ['send-match-mail', 'matches', sendMail],
  ['send-match-push', 'matches', sendPush],
  ['send-unread-mail', 'messages', sendMail],
  ['push-thread', 'messages', sendPush],
  ['send-trade-mail', 'trade', sendMail],
  ['send-trade-push', 'trade', sendPush],
  ['send-listing-reminder-mail', 'listings-ending', sendMail],
  ['send-listing-reminder-push', 'listings-ending', sendPush],
] as const

/** Runs jobs that the previous release has queued as jobs of this one. */
export function handlePreviousJobs({ db, jobs }: Pick<Deps, 'db' | 'jobs'>) {
  for (const [name, topic, kind] of previous)
    jobs.handle(jobKind<PreviousData>(name), ({ user_id, partner_id = 0 }) =>
      inTransaction(db, (tx) => jobs.add(tx, kind, { user_id, topic, subject_id: partner_id })),
    )
}
