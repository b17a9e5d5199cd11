import { reminderMessages } from '#contract/listing-reminders.ts'
import { isSigned, sign } from '#server/features/keys/keys.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'

/** A listing with its end at the time of the reminder. */
export interface ListingEnd {
  readonly listingId: number
  readonly expiresMs: number
}

const dayMs = 24 * 60 * 60 * 1000
/** The days after the end of a listing until its link expires. */
const validDays = 14

/** Returns the path of the page where the owner answers without a login. Its token is signed and valid for this end of the listing. */
export async function reminderPath(
  db: Db,
  { id, expires_at }: { id: number; expires_at: string },
): Promise<string> {
  const expiresMs = Date.parse(expires_at)
  return `/still-there?token=${id}-${expiresMs}-${await sign(db, 'listing-reminder', `${id}.${expiresMs}`)}`
}

/** Returns the listing and its end from a token. Throws `not_found` if the signature is invalid or the token has expired. */
export async function readReminderToken(db: Db, token: string): Promise<ListingEnd> {
  const [, id, expires, signature = ''] = /^([1-9]\d{0,14})-([1-9]\d{0,14})-(.*)$/.exec(token) ?? []
  const expiresMs = Number(expires)
  const isValid = await isSigned(db, 'listing-reminder', `${id}.${expires}`, signature)
  if (!isValid || Date.now() > expiresMs + validDays * dayMs)
    throw new AppError('not_found', reminderMessages.linkInvalid)
  return { listingId: Number(id), expiresMs }
}
