import { states } from '#contract/constants.ts'
import { type Reminder, reminderMessages } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { confirmedAddressee } from '#server/features/auth/addressee.ts'
import { ownListing } from '#server/features/listings/access.ts'
import { changeListing } from '#server/features/listings/edit.ts'
import { relist, takeDueReminders } from '#server/features/listings/expiry.ts'
import { oneClickStop } from '#server/features/members/stop-mails.ts'
import { notifyOfEndings } from '#server/features/notifications/notifications.ts'
import { pushTo } from '#server/features/push/push.ts'
import { quietSecondsLeft } from '#server/features/push/quiet-hours.ts'
import { inBatches, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { jobKind, type RunningJob } from '#server/platform/jobs.ts'
import type { Db } from '#server/tables.ts'
import { listedUntil, reminderMail, reminderSubject } from './mails/reminder.ts'
import { findReminder, listReminded, type ReminderRow } from './queries.ts'
import { readReminderToken, reminderPath } from './reminder-link.ts'

export const sendReminderMail = jobKind<{ user_id: number; listing_ids: number[] }>(
  'send-listing-reminder-mail',
)
export const sendReminderPush = jobKind<{ user_id: number; listing_ids: number[] }>(
  'send-listing-reminder-push',
)

const batchSize = 200

/** Notifies owners of listings that end soon, once for each end, and queues their mails and pushes. */
export async function remindOwners({
  db,
  jobs,
  realtime,
}: Pick<Deps, 'db' | 'jobs' | 'realtime'>): Promise<void> {
  await inBatches(db, batchSize, async (tx) => {
    const due = await takeDueReminders(tx, batchSize)
    const reminders = due.filter(({ needs_reminder }) => needs_reminder)
    for (const [user_id, listings] of Map.groupBy(reminders, ({ owner_id }) => owner_id)) {
      const data = { user_id, listing_ids: listings.map(({ id }) => id) }
      if (listings[0]?.mail_listings) await jobs.add(tx, sendReminderMail, data)
      await jobs.add(tx, sendReminderPush, data)
    }
    const about = reminders.map(({ id, owner_id }) => ({ owner_id, listing_id: id }))
    await notifyOfEndings({ realtime }, tx, about)
    return due.length
  })
}

/** Sends a member one mail about those of the listings that still need a reminder. */
export async function mailReminder(
  { db, mailer, publicUrl }: Pick<Deps, 'db' | 'mailer' | 'publicUrl'>,
  data: { user_id: number; listing_ids: number[] },
  job: RunningJob,
): Promise<void> {
  const { user_id, listing_ids } = data
  const reminded = (await listReminded(db, user_id, listing_ids)).filter(({ mail_listings }) => mail_listings)
  const listings = await Promise.all(
    reminded.map(async (listing) => ({ ...listing, path: await reminderPath(db, listing) })),
  )
  const [first, ...others] = listings
  const member = first && (await confirmedAddressee(db, sendReminderMail, data))
  if (!member) return
  const oneClick = await oneClickStop(db, user_id, 'mail_listings')
  await mailer.send(reminderMail(member, [first, ...others], oneClick, publicUrl), job)
}

/** Sends a member one push about those of the listings that still need a reminder. During quiet hours it is delayed to their end. */
export async function pushReminder(
  { db, jobs, pusher }: Pick<Deps, 'db' | 'jobs' | 'pusher'>,
  data: { user_id: number; listing_ids: number[] },
): Promise<void> {
  const { user_id, listing_ids } = data
  const [first, ...others] = await listReminded(db, user_id, listing_ids)
  if (!first) return
  const seconds = quietSecondsLeft(first.time_zone ?? 'UTC')
  if (seconds > 0) return inTransaction(db, (tx) => jobs.add(tx, sendReminderPush, data, seconds))
  await pushTo({ db, pusher }, user_id, {
    category: 'listing',
    title: reminderSubject(first, others),
    body: `“${first.title}” ${listedUntil(first)}. List it again, or say that it is gone.`,
    path: others.length === 0 ? `/listings/${first.id}` : '/my-listings',
    tag: 'listings-ending',
  })
}

/** Returns the reminder of a token. Throws `not_found` for an invalid token or a deleted listing. */
export async function findReminderByToken(db: Db, token: string): Promise<Reminder> {
  return toResponse(await reminderOf(db, token))
}

/**
 * Relists the listing of a token or marks it as gone. Idempotent. Throws `not_found`, also for `gone` after the listing was relisted, and
 * `conflict` for `gone` while it is promised.
 */
export async function answerReminderByToken(
  deps: Pick<Deps, 'db' | 'events' | 'jobs'>,
  { token, answer }: { token: string; answer: NonNullable<Reminder['answer']> },
): Promise<Reminder> {
  const { db } = deps
  const reminder = await reminderOf(db, token)
  if (answer !== toResponse(reminder).answer) {
    if (reminder.isRelisted) throw new AppError('not_found', reminderMessages.linkInvalid)
    const listing = await ownListing(db, reminder.owner_id, reminder.id, 'edit')
    if (answer === 'still_there') await relist(deps, listing)
    else await changeListing(deps, listing, { state_id: states.gone })
  }
  return findReminderByToken(db, token)
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
  return { listing_id: id, title, expires_at, is_expired, answer }
}
