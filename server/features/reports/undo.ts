import { errorMessages } from '#contract/error-messages.ts'
import { caseMessages } from '#contract/report-cases.ts'
import type { Deps } from '#server/deps.ts'
import { findEntry } from '#server/features/desk/audit.ts'
import { uniqueViolation } from '#server/platform/database-errors.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  categorizeInTransaction,
  hideInTransaction,
  restoreInTransaction,
  restoreMessagesInTransaction,
} from './moderation.ts'

/** Undoes a hidden listing, a corrected category, a suspension or withdrawn messages. Throws `not_found`, and `conflict` for another action or one that was undone. */
export async function undo(
  deps: Pick<Deps, 'db' | 'events' | 'jobs' | 'realtime'>,
  actor: number,
  id: number,
  reason: string,
): Promise<void> {
  const entry = await findEntry(deps.db, id)
  if (!entry) throw new AppError('not_found', errorMessages.notFound)
  if (entry.is_undone) throw alreadyUndone()
  const because = { actor, reason, undoes: id }
  await inTransaction(deps.db, (tx) => {
    if (entry.action === 'listing_hidden') return hideInTransaction(deps, tx, entry.target_id, false, because)
    if (entry.action === 'listing_categorized')
      return categorizeInTransaction(deps, tx, entry.target_id, entry.category_was, because)
    if (entry.action === 'member_suspended') return restoreInTransaction(deps, tx, entry.target_id, because)
    if (entry.action === 'messages_withdrawn')
      return restoreMessagesInTransaction(deps, tx, entry.target_id, because)
    throw new AppError('conflict', caseMessages.notUndoable)
  }).catch((error: unknown) => {
    // Another moderator has undone it at the same time.
    throw uniqueViolation(error) === 'audit_log_undoes_key' ? alreadyUndone() : error
  })
}

function alreadyUndone(): AppError {
  return new AppError('conflict', caseMessages.alreadyUndone)
}
