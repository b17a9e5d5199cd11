import { states } from '#contract/constants.ts'
import { type Reminder, reminderMessages } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { ownListing } from '#server/features/listings/access.ts'
import { changeListing } from '#server/features/listings/edit.ts'
import { relist, takeDueReminders } from '#server/features/listings/expiry.ts'
import { type NotifyDeps, notify } from '#server/features/notifications/notifications.ts'
import { inBatches } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { listingEnding } from './notifications.ts'
import { findReminder, type ReminderRow } from './queries.ts'
import { readReminderToken } from './reminder-link.ts'

const batchSize = 200

/** Notifies owners of listings that end soon, once for each end. */
export async function remindOwners({ db, ...deps }: NotifyDeps & Pick<Deps, 'db'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const due = await takeDueReminders(tx, batchSize)
    const reminders = due.filter(({ needs_reminder }) => needs_reminder)
    const events = reminders.map(({ id, owner_id }) => ({
      user_id: owner_id,
      from_id: owner_id,
      data: { listing_id: id },
    }))
    await notify(deps, tx, listingEnding, events)
    return due.length
  })
}

/** Returns the reminder of a token. Throws `not_found` for an invalid token or a deleted listing. */
export async function findReminderByToken(db: Db, token: string): Promise<Reminder> {
  return toResponse(await reminderOf(db, token))
}

/**
 * Relists the listing of a token or marks it as gone. Idempotent. Throws `not_found`, and `conflict` for `gone` after the listing was
 * relisted or while it is promised.
 */
export async function answerReminderByToken(
  deps: Pick<Deps, 'db' | 'events' | 'jobs'>,
  { token, answer }: { token: string; answer: NonNullable<Reminder['answer']> },
): Promise<Reminder> {
  const { db } = deps
  const reminder = await reminderOf(db, token)
  const is_answered_already = answer === toResponse(reminder).answer
  if (!is_answered_already) {
    if (reminder.isRelisted) throw new AppError('conflict', reminderMessages.listedAgain)
    const listing = await ownListing(db, reminder.owner_id, reminder.id, 'edit')
    if (answer === 'still_there') await relist(deps, listing)
    else await changeListing(deps, listing, { state_id: states.gone })
  }
  return { ...(await findReminderByToken(db, token)), is_answered_already }
}

/** A reminder, and whether the listing has been relisted since. */
type ReminderState = ReminderRow & { readonly isRelisted: boolean }

/** Returns the listing of a token. Throws `not_found` for an invalid token, a deleted listing, or one that now ends earlier. */
async function reminderOf(db: Db, token: string): Promise<ReminderState> {
  const { listingId, expiresMs } = await readReminderToken(db, token)
  const row = await findReminder(db, listingId)
  const extensionMs = row ? Date.parse(row.expires_at) - expiresMs : -1
  if (!row || extensionMs < 0) throw new AppError('not_found', reminderMessages.linkInvalid)
  return { ...row, isRelisted: extensionMs > 0 }
}

function toResponse({ id, title, expires_at, is_expired, is_gone, isRelisted }: ReminderState): Reminder {
  const answer = is_gone ? 'gone' : isRelisted ? 'still_there' : null
  return { listing_id: id, title, expires_at, is_expired, answer, is_answered_already: answer !== null }
}
