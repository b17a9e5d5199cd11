import { timingSafeEqual } from 'node:crypto'
import { reminderMessages } from '#contract/listing-reminders.ts'
import type { Deps } from '#server/deps.ts'
import { sign } from '#server/features/keys/keys.ts'
import { AppError } from '#server/platform/errors.ts'

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
  db: Deps['db'],
  { id, expires_at }: { id: number; expires_at: string },
): Promise<string> {
  const end = { listingId: id, expiresMs: Date.parse(expires_at) }
  const signed = (await signature(db, end)).toString('base64url')
  return `/still-there?token=${end.listingId}-${end.expiresMs}-${signed}`
}

/** Returns the listing and its end from a token. Throws `not_found` if the signature is invalid or the token has expired. */
export async function readReminderToken(db: Deps['db'], token: string): Promise<ListingEnd> {
  const [, id, expires, signed = ''] = /^([1-9]\d{0,14})-([1-9]\d{0,14})-([\w-]{43})$/.exec(token) ?? []
  const end = { listingId: Number(id), expiresMs: Number(expires) }
  const isValid = signed !== '' && timingSafeEqual(Buffer.from(signed, 'base64url'), await signature(db, end))
  if (!isValid || Date.now() > end.expiresMs + validDays * dayMs)
    throw new AppError('not_found', reminderMessages.linkInvalid)
  return end
}

function signature(db: Deps['db'], { listingId, expiresMs }: ListingEnd): Promise<Buffer> {
  return sign(db, 'listing-reminder', `${listingId}.${expiresMs}`)
}
