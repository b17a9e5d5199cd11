import type { Transaction } from 'kysely'
import { authMessages } from '#contract/auth.ts'
import { recentLoginMs } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { uniqueViolation } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Tables } from '#server/tables.ts'
import { isCommonPassword, type Owner } from './common-passwords.ts'
import { sendConfirmationMail, sendEmailChangedMail, sendPasswordChangedMail } from './job-kinds.ts'
import type { LoginLimit } from './limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import {
  deleteResets,
  findCredentials,
  findPasswordHashForUpdate,
  findSessionAge,
  updatePasswordHash,
} from './queries.ts'

const conflictMessages: Record<string, string> = {
  users_email: authMessages.emailTaken,
  users_username: authMessages.usernameTaken,
}

/** Throws `conflict` for a violated unique constraint of `users`, else the error itself. */
export function nameTaken(error: unknown): never {
  const message = conflictMessages[uniqueViolation(error) ?? '']
  if (message === undefined) throw error
  throw new AppError('conflict', message)
}

/** Returns the hash of a new password. Throws `invalid` for `field` if the password is common or obvious. */
export async function hashChosenPassword(password: string, field: string, owner: Owner): Promise<string> {
  if (await isCommonPassword(password, owner)) throw invalid(field, authMessages.commonPassword)
  return hashPassword(password)
}

/** Returns the hash of a new password of an existing member. Also throws `not_authenticated` if the account is deleted. */
export async function hashNewPassword(
  db: Deps['db'],
  userId: number,
  password: string,
  field: string,
): Promise<string> {
  const owner = await findCredentials(db, userId)
  if (!owner) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  return hashChosenPassword(password, field, owner)
}

type Needs = Pick<Deps, 'db'> & { readonly tries: LoginLimit }

/** An entered password and the address of the request. */
interface Entered {
  readonly password: string
  readonly address: string
}

/**
 * Checks a password. Attempts count towards the limit of logins. Returns the hash if it is right, else undefined. Throws `too_many`, and
 * `not_authenticated` if the account is deleted.
 */
async function checkPassword(
  { db, tries }: Needs,
  userId: number,
  { password, address }: Entered,
): Promise<string | undefined> {
  const member = await findCredentials(db, userId)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  await tries.attempt(member.email, address)
  return (await verifyPassword(member.password_hash, password)) ? member.password_hash : undefined
}

/** Locks the member in the transaction that needs the password. Throws if the password has changed since. */
export type PasswordProof = (tx: Transaction<Tables>) => Promise<void>

/** Requires the member's password. Throws `invalid` if it is wrong, `too_many`, `not_authenticated`. */
export async function requirePassword(
  needs: Needs,
  userId: number,
  entered: Entered,
): Promise<PasswordProof> {
  const wrongPassword = () => invalid('password', authMessages.wrongPassword)
  const hash = await checkPassword(needs, userId, entered)
  if (hash === undefined) throw wrongPassword()
  return async (tx) => {
    if ((await findPasswordHashForUpdate(tx, userId)) !== hash) throw wrongPassword()
  }
}

/**
 * Requires the current password for a new password or e-mail. A new session may omit it. Throws `forbidden` if it is wrong or missing,
 * `too_many`, `not_authenticated`.
 */
export async function requireCurrentPassword(
  needs: Needs,
  { id, session }: Caller,
  { password, address }: { password: string | undefined; address: string },
): Promise<PasswordProof> {
  if (!password) {
    const age = await findSessionAge(needs.db, session)
    if (age === undefined) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
    if (age > recentLoginMs) throw new AppError('forbidden', authMessages.enterCurrentPassword)
    return async () => {}
  }
  const wrongPassword = () => new AppError('forbidden', authMessages.incorrectPassword)
  const hash = await checkPassword(needs, id, { password, address })
  if (hash === undefined) throw wrongPassword()
  return async (tx) => {
    if ((await findPasswordHashForUpdate(tx, id)) !== hash) throw wrongPassword()
  }
}

/** Sets the password, deletes reset tokens and notifies the member by mail. */
export async function replacePassword(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  password_hash: string,
): Promise<void> {
  await updatePasswordHash(tx, userId, password_hash)
  await deleteResets(tx, userId)
  await jobs.add(tx, sendPasswordChangedMail, { user_id: userId })
}

/** Handles a change of the e-mail address: notifies the old one, asks to confirm the new one, revokes reset links. */
export async function emailReplaced(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  before: { readonly email: string; readonly email_confirmed_at: string | null },
): Promise<void> {
  await deleteResets(tx, userId)
  await jobs.add(tx, sendEmailChangedMail, {
    user_id: userId,
    old_email: before.email,
    was_confirmed: before.email_confirmed_at !== null,
  })
  await jobs.add(tx, sendConfirmationMail, { user_id: userId })
}
