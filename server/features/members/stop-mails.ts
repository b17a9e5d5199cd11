import { apiBase } from '#contract/constants.ts'
import { mailMessages, type Preferences, stopMails } from '#contract/profile.ts'
import { isSigned, sign } from '#server/features/keys/keys.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { updateMailsStopped } from './queries.ts'

/** The preferences with which a member gets no mails of a kind. */
const stoppingPreferences = {
  mail_unread: false,
  mail_listings: false,
  mail_trades: false,
  mail_matches: 'never',
} as const satisfies Partial<Preferences>
type StoppableMail = keyof typeof stoppingPreferences

/** Returns the path of the one-click URL that stops mails of a kind (RFC 8058). It is signed and requires no login. A browser gets the page that asks. */
export async function oneClickStop(db: Db, userId: number, kind: StoppableMail): Promise<string> {
  const subject = `${kind}.${userId}`
  const token = `${subject}.${await sign(db, 'unsubscribe', subject)}`
  return `${apiBase}${stopMails.path}?token=${token}`
}

/** Returns the path of the page that asks before it stops mails. */
export function stopMailsPage(token: string): string {
  return `/stop-mails?${new URLSearchParams({ token })}`
}

/** Stops the mails of a token. Throws `bad_request` for a token without a valid signature. */
export async function stopMailsOf(db: Db, token: string): Promise<{ message: string }> {
  const [, subject = '', kind = '', id, signature = ''] = /^((\w+)\.(\d{1,15}))\.(.*)$/.exec(token) ?? []
  if (!isKind(kind) || !(await isSigned(db, 'unsubscribe', subject, signature)))
    throw new AppError('bad_request', mailMessages.stopInvalid)
  const isNew = await updateMailsStopped(db, Number(id), kind, stoppingPreferences[kind])
  return { message: isNew ? mailMessages.stopped : mailMessages.alreadyStopped }
}

function isKind(kind: string): kind is StoppableMail {
  return Object.hasOwn(stoppingPreferences, kind)
}
