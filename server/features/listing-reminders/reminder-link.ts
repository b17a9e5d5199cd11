import { timingSafeEqual } from 'node:crypto'
import { reminderMessages } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { sign } from '#server/features/keys/keys.ts'
import { AppError } from '#server/platform/errors.ts'

/** A listing and the end time that its reminder is about. */
export interface ReminderSubject {
  readonly listingId: number
  readonly expiresMs: number
}

const dayMs = 24 * 60 * 60 * 1000
/** The days after the end of a listing until its link expires. */
const validDays = 14

/** Returns the path of the page where the owner answers without a login. It is bound to this end of the listing. */
export async function reminderPath(
  db: Deps['db'],
  { id, expires_at }: { id: number; expires_at: string },
): Promise<string> {
  const subject = { listingId: id, expiresMs: Date.parse(expires_at) }
  const signed = (await signature(db, subject)).toString('base64url')
  return `/still-there?token=${subject.listingId}-${subject.expiresMs}-${signed}`
}

/** Returns the subject of a token. Throws `not_found` if its signature is invalid or it has expired. */
export async function readReminderToken(db: Deps['db'], token: string): Promise<ReminderSubject> {
  const [, id, expires, signed = ''] = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([\w-]{43})$/.exec(token) ?? []
  const subject = { listingId: Number(id), expiresMs: Number(expires) }
  const isValid =
    signed !== '' && timingSafeEqual(Buffer.from(signed, 'base64url'), await signature(db, subject))
  if (!isValid || Date.now() > subject.expiresMs + validDays * dayMs)
    throw new AppError('not_found', reminderMessages.linkInvalid)
  return subject
}

function signature(db: Deps['db'], { listingId, expiresMs }: ReminderSubject): Promise<Buffer> {
  return sign(db, 'listing-reminder', `${listingId}.${expiresMs}`)
}
