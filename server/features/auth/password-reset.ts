import { authMessages, type PasswordReset } from '#contract/auth.ts'
import { resetMinutes } from '#contract/constants.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { hashNewPassword, replacePassword } from './credentials.ts'
import { markConfirmed } from './email-confirmation.ts'
import { sendResetMail } from './job-kinds.ts'
import {
  findLogin,
  findReset,
  insertReset,
  lockAddress,
  updateResetsEnded,
  updateResetUsed,
} from './queries.ts'
import { hashOfToken, newToken } from './tokens.ts'

const resetLifetimeMs = resetMinutes * 60 * 1000

/** The id in a job for an unknown address. No member has it, so the job sends no mail. */
const unknownUserId = 0

/** Queues a reset mail. For an unknown e-mail it queues a job without effect, so that the duration reveals nothing. */
export async function requestReset(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  email: string,
): Promise<{ message: string }> {
  const member = await findLogin(db, email)
  await inTransaction(db, (tx) => jobs.add(tx, sendResetMail, { user_id: member?.id ?? unknownUserId }))
  return { message: authMessages.resetRequested }
}

/**
 * Creates the token of a reset mail and ends the member's tokens of earlier mails, but not those of other attempts of the same job.
 * Returns undefined if the address has changed.
 */
export async function createResetToken(
  db: Db,
  { id, email }: { readonly id: number; readonly email: string },
  job_id: string,
): Promise<string | undefined> {
  const { token, hash } = newToken()
  return inTransaction(db, async (tx) => {
    if (!(await lockAddress(tx, id, email))) return undefined
    await updateResetsEnded(tx, id, 'replaced', job_id)
    await insertReset(tx, {
      token_hash: hash,
      user_id: id,
      job_id,
      expires_at: new Date(Date.now() + resetLifetimeMs).toISOString(),
    })
    return token
  })
}

/** Why a token is not valid. */
const refusals = {
  used: authMessages.resetUsed,
  replaced: authMessages.resetReplaced,
  revoked: authMessages.resetRevoked,
  expired: authMessages.resetExpired,
} as const

/** Returns the member of a valid token. Throws `bad_request` with the reason for another. */
async function requireReset(db: Db, tokenHash: Buffer) {
  const reset = await findReset(db, tokenHash)
  if (!reset) throw new AppError('bad_request', authMessages.resetInvalid)
  if (reset.ended || reset.is_expired) throw new AppError('bad_request', refusals[reset.ended ?? 'expired'])
  return reset
}

/** Returns the e-mail of the account of a valid token. */
export async function accountOfToken(db: Db, token: string): Promise<{ email: string | null }> {
  const reset = await findReset(db, hashOfToken(token))
  return { email: reset === undefined || reset.ended || reset.is_expired ? null : reset.email }
}

/**
 * Sets the new password, once per token, and logs the member out everywhere. Confirms the address too, because its mailbox has received
 * the token. Throws `bad_request` and `invalid`.
 */
export async function setPasswordByToken(
  { db, jobs, sessions }: Pick<Deps, 'db' | 'jobs' | 'sessions'>,
  { token, new_password }: PasswordReset,
): Promise<{ message: string }> {
  const tokenHash = hashOfToken(token)
  const { user_id: userId } = await requireReset(db, tokenHash)
  const password_hash = await hashNewPassword(db, userId, new_password, 'new_password')
  await sessions.closeAll(userId, {}, async (tx) => {
    // Another request has ended the token since.
    if (!(await updateResetUsed(tx, tokenHash))) await requireReset(tx, tokenHash)
    // The other attempts to send this mail have tokens of their own.
    await updateResetsEnded(tx, userId, 'used')
    await replacePassword({ jobs }, tx, userId, password_hash)
    await markConfirmed({ jobs }, tx, userId)
  })
  return { message: authMessages.resetDone }
}
