import { authMessages } from '#contract/auth.ts'
import { recentLoginMs } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { uniqueViolation } from '#server/platform/database-errors.ts'
import { AppError, type FieldError, invalid } from '#server/platform/errors.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Db, Tx } from '#server/tables.ts'
import { isCommonPassword, type PasswordOwner } from './common-passwords.ts'
import { sendConfirmationMail, sendEmailChangedMail, sendPasswordChangedMail } from './job-kinds.ts'
import type { LoginLimit } from './limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import {
  findCredentials,
  findPasswordHashForUpdate,
  findSessionAge,
  updatePasswordHash,
  updateResetsEnded,
} from './queries.ts'

const takenUsername: FieldError = { field: 'username', message: authMessages.usernameTaken }
const takenEmail: FieldError = { field: 'email', message: authMessages.emailTaken }
const conflicts: Record<string, FieldError> = {
  users_email: takenEmail,
  users_username: takenUsername,
  registration_requests_email: takenEmail,
  registration_requests_username: takenUsername,
}

/** Throws `conflict` for an error that a username or e-mail is taken, else the error itself. */
export function rethrowConflict(error: unknown): never {
  const conflict = conflicts[uniqueViolation(error) ?? '']
  throw conflict === undefined ? error : conflictOf(conflict)
}

/** Returns the `conflict` error of a taken username. */
export function usernameTaken(): AppError {
  return conflictOf(takenUsername)
}

/** Returns the `conflict` error of a taken e-mail. */
export function emailTaken(): AppError {
  return conflictOf(takenEmail)
}

function conflictOf(error: FieldError): AppError {
  return new AppError('conflict', error.message, { errors: [error] })
}

/** Returns the hash of a new password. Throws `invalid` for `field` if the password is common or obvious. */
export async function hashChosenPassword(
  password: string,
  field: string,
  owner: PasswordOwner,
): Promise<string> {
  if (await isCommonPassword(password, owner)) throw invalid(field, authMessages.commonPassword)
  return hashPassword(password)
}

/** Returns the hash of a member's new password. Throws `invalid` like `hashChosenPassword`, and `not_authenticated` if the account is deleted. */
export async function hashNewPassword(
  db: Db,
  userId: number,
  password: string,
  field: string,
): Promise<string> {
  const owner = await findCredentials(db, userId)
  if (!owner) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  return hashChosenPassword(password, field, { ...owner, email: owner.email ?? '' })
}

type PasswordDeps = Pick<Deps, 'db'> & { readonly tries: LoginLimit }

/** An entered password and the address of the request. */
interface EnteredPassword {
  readonly password: string
  readonly address: string
}

/** Locks the member in the transaction that needs the password. Throws if the password has changed since it was checked. */
export type PasswordProof = (tx: Tx) => Promise<void>

/**
 * Checks a password. Attempts count towards the limit of logins. Throws `wrongPassword`, `too_many`, and `not_authenticated` if the
 * account is deleted.
 */
async function checkPassword(
  { db, tries }: PasswordDeps,
  userId: number,
  { password, address }: EnteredPassword,
  wrongPassword: () => AppError,
): Promise<PasswordProof> {
  const member = await findCredentials(db, userId)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  await tries.attempt(member.email ?? String(userId), address)
  const hash = member.password_hash
  if (!(await verifyPassword(hash, password))) throw wrongPassword()
  return async (tx) => {
    if ((await findPasswordHashForUpdate(tx, userId)) !== hash) throw wrongPassword()
  }
}

/** Requires the member's password. Throws `invalid` if it is wrong, `too_many`, `not_authenticated`. */
export function requirePassword(
  deps: PasswordDeps,
  userId: number,
  entered: EnteredPassword,
): Promise<PasswordProof> {
  return checkPassword(deps, userId, entered, () => invalid('password', authMessages.wrongPassword))
}

/**
 * Requires the current password for a new password or e-mail. A new session may omit it. Throws `forbidden` if it is wrong or missing,
 * `too_many`, `not_authenticated`.
 */
export async function requireCurrentPassword(
  deps: PasswordDeps,
  { id, session }: Caller,
  { password, address }: { password: string | undefined; address: string },
): Promise<PasswordProof> {
  if (!password) {
    const age = await findSessionAge(deps.db, session)
    if (age > recentLoginMs) throw currentPasswordRefused(authMessages.enterCurrentPassword)
    return async () => {}
  }
  const wrongPassword = () => currentPasswordRefused(authMessages.incorrectPassword)
  return checkPassword(deps, id, { password, address }, wrongPassword)
}

/** Returns the `forbidden` error of a wrong or missing current password. */
export function currentPasswordRefused(message: string): AppError {
  return new AppError('forbidden', message, { errors: [{ field: 'current_password', message }] })
}

/** Sets the password, ends reset tokens and notifies the member by mail. */
export async function replacePassword(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  userId: number,
  password_hash: string,
): Promise<void> {
  await updatePasswordHash(tx, userId, password_hash)
  await updateResetsEnded(tx, userId, 'revoked')
  await jobs.add(tx, sendPasswordChangedMail, { user_id: userId })
}

/** Revokes the reset links after a change of the e-mail address, notifies the old address and asks to confirm the new one. */
export async function handleEmailChange(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  userId: number,
  before: { readonly email: string | null; readonly email_confirmed_at: string | null },
): Promise<void> {
  await updateResetsEnded(tx, userId, 'revoked')
  if (before.email !== null)
    await jobs.add(tx, sendEmailChangedMail, {
      user_id: userId,
      old_email: before.email,
      was_confirmed: before.email_confirmed_at !== null,
    })
  await jobs.add(tx, sendConfirmationMail, { user_id: userId })
}
