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
import { confirmEmailMail, emailChangedMail, passwordChangedMail } from './job-kinds.ts'
import type { LoginLimit } from './limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import {
  deleteResets,
  findCredentials,
  findPasswordHashForUpdate,
  findSessionAge,
  updatePasswordHash,
} from './queries.ts'

const taken: Record<string, string> = {
  users_email: authMessages.emailTaken,
  users_username: authMessages.usernameTaken,
}

/** Turns "somebody has it already" into its sentence. Throws `conflict`, or the error as it was. */
export function nameTaken(error: unknown): never {
  const sentence = taken[uniqueViolation(error) ?? '']
  if (sentence === undefined) throw error
  throw new AppError('conflict', sentence)
}

/** The hash of a password that a member chooses. Throws `invalid` for a common or an obvious one, naming the field it came in. */
export async function hashChosenPassword(password: string, field: string, owner: Owner): Promise<string> {
  if (await isCommonPassword(password, owner)) throw invalid(field, authMessages.commonPassword)
  return hashPassword(password)
}

/** The same for a member who is there. Throws `not_authenticated` when the account is gone. */
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

/** A password as somebody entered it, and the address they called from. */
interface Entered {
  readonly password: string
  readonly address: string
}

/**
 * Checks a password. The limit of attempts is that of the login. Returns the hash that it fits, undefined when it is wrong.
 * Throws `too_many`, and `not_authenticated` when the account is gone.
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

/** Proof that somebody entered the password of a member: throws when the password has changed since. Locks the member. */
export type PasswordProof = (tx: Transaction<Tables>) => Promise<void>

/** Throws `invalid` when the password is not the member's, `too_many`, `not_authenticated`. */
export async function requirePassword(
  needs: Needs,
  userId: number,
  entered: Entered,
): Promise<PasswordProof> {
  const wrong = () => invalid('password', authMessages.wrongPassword)
  const hash = await checkPassword(needs, userId, entered)
  if (hash === undefined) throw wrong()
  return async (tx) => {
    if ((await findPasswordHashForUpdate(tx, userId)) !== hash) throw wrong()
  }
}

/**
 * The current password, before the password or the e-mail changes. A session that has just logged in may leave it out.
 * Throws `forbidden` when it is wrong or missing, `too_many`, `not_authenticated`.
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
  const wrong = () => new AppError('forbidden', authMessages.incorrectPassword)
  const hash = await checkPassword(needs, id, { password, address })
  if (hash === undefined) throw wrong()
  return async (tx) => {
    if ((await findPasswordHashForUpdate(tx, id)) !== hash) throw wrong()
  }
}

/** Sets the password, ends the links that would reset it, and has the member told. */
export async function replacePassword(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  password_hash: string,
): Promise<void> {
  await updatePasswordHash(tx, userId, password_hash)
  await deleteResets(tx, userId)
  await jobs.add(tx, passwordChangedMail, { user_id: userId })
}

/** Handles a change of the e-mail address: notifies the old one, asks to confirm the new one, revokes reset links. */
export async function emailReplaced(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  before: { readonly email: string; readonly email_confirmed_at: string | null },
): Promise<void> {
  await deleteResets(tx, userId)
  await jobs.add(tx, emailChangedMail, {
    user_id: userId,
    old_email: before.email,
    was_confirmed: before.email_confirmed_at !== null,
  })
  await jobs.add(tx, confirmEmailMail, { user_id: userId })
}
