import { type NewReport, reportMessages } from '#contract/reports.ts'
import type { Deps, Subscriber } from '#server/deps.ts'
import { visibleListing } from '#server/features/listings/listing.ts'
import { requireMember } from '#server/features/members/members.ts'
import { requireOwnMessage } from '#server/features/messages/threads.ts'
import { requireThanks } from '#server/features/trades/thanks.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Tx } from '#server/tables.ts'
import { sendReportMail } from './job-kinds.ts'
import { hasSameReport, insertReport, lockReports, type NewRow } from './queries.ts'
import { storeSnapshot } from './snapshots.ts'

/** Stands for the site as a reporter. No member has this id. */
const site = 0

/**
 * Stores a report and queues its mail to the operator, unless the caller has sent the same one in the last 24 hours. Throws `not_found` if
 * the caller may not see its subject.
 */
export async function createReport(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: number,
  { listing_id, user_id, message_id, thanks_id, reason }: NewReport,
): Promise<{ message: string }> {
  const listing = listing_id === undefined ? undefined : await visibleListing(db, caller, listing_id)
  if (user_id !== undefined) await requireMember(db, user_id)
  if (message_id !== undefined) await requireOwnMessage(db, caller, message_id)
  if (thanks_id !== undefined) await requireThanks(db, caller, thanks_id)
  const row = {
    reporter_id: caller,
    listing_id: listing_id ?? null,
    // The owner stays known if they delete the reported listing.
    user_id: user_id ?? listing?.owner_id ?? null,
    message_id: message_id ?? null,
    thanks_id: thanks_id ?? null,
    reason,
  }
  await inTransaction(db, (tx) => storeReport(jobs, tx, row))
  return { message: reportMessages.received }
}

/** Reports a member whose text the site has refused to many strangers, once a day for each text. */
export function reportEqualTexts(
  { jobs }: Pick<Subscriber, 'jobs'>,
  tx: Tx,
  { user_id, text }: { readonly user_id: number; readonly text: string },
): Promise<void> {
  const nothing = { reporter_id: null, listing_id: null, message_id: null, thanks_id: null }
  return storeReport(jobs, tx, { ...nothing, user_id, reason: text, noticed: 'equal_texts' })
}

async function storeReport(jobs: Deps['jobs'], tx: Tx, row: NewRow): Promise<void> {
  await lockReports(tx, row.reporter_id ?? site)
  if (await hasSameReport(tx, row)) return
  const id = await insertReport(tx, row)
  await storeSnapshot(tx, id, row)
  await jobs.add(tx, sendReportMail, { report_id: id })
}
