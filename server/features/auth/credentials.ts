import type { Transaction } from 'kysely'
import { authSentences } from '#contract/auth.ts'
import { sentences } from '#contract/sentences.ts'
import type { Deps } from '#server/deps.ts'
import { uniqueViolation } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Tables } from '#server/tables.ts'
import { isCommonPassword, type Owner } from './common-passwords.ts'
import { confirmEmailMail, emailChangedMail, passwordChangedMail } from './job-kinds.ts'
import type { LoginLimit } from './limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { deleteResets, findCredentials, updatePasswordHash } from './queries.ts'

const taken: Record<string, string> = {
  users_email: authSentences.emailTaken,
  users_username: authSentences.usernameTaken,
}

/** Turns "somebody has it already" into its sentence. Throws `conflict`, or the error as it was. */
export function nameTaken(error: unknown): never {
  const sentence = taken[uniqueViolation(error) ?? '']
  if (sentence === undefined) throw error
  throw new AppError('conflict', sentence)
}

/** The hash of a password that a member chooses. Throws `invalid` for a common or an obvious one, naming the field it came in. */
export async function hashChosenPassword(password: string, field: string, owner: Owner): Promise<string> {
  if (await isCommonPassword(password, owner)) throw invalid(field, authSentences.commonPassword)
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
  if (!owner) throw new AppError('not_authenticated', sentences.notAuthenticated)
  return hashChosenPassword(password, field, owner)
}

/**
 * Whoever holds a member's token does not get more guesses at the password than whoever is at the login. Throws `too_many`,
 * `invalid` when the password is not the member's, `not_authenticated` when the account is gone.
 */
export async function requirePassword(
  { db, tries }: Pick<Deps, 'db'> & { tries: LoginLimit },
  userId: number,
  { password, address }: { password: string; address: string },
): Promise<void> {
  const member = await findCredentials(db, userId)
  if (!member) throw new AppError('not_authenticated', sentences.notAuthenticated)
  await tries.attempt(member.email, address)
  const right = await verifyPassword(member.password_hash, password)
  if (!right) throw invalid('password', authSentences.wrongPassword)
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

/** What a new e-mail address sets off: the old one is told, the new one is to be confirmed, reset links end. */
export async function emailReplaced(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  oldEmail: string,
): Promise<void> {
  await deleteResets(tx, userId)
  await jobs.add(tx, emailChangedMail, { user_id: userId, old_email: oldEmail })
  await jobs.add(tx, confirmEmailMail, { user_id: userId })
}
