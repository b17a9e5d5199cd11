import { authMessages } from '#contract/auth.ts'
import { confirmationDays } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Db, Tx } from '#server/tables.ts'
import { sendConfirmationMail } from './job-kinds.ts'
import {
  type AddresseeRow,
  deleteWaitingMails,
  findConfirmationForUpdate,
  findCredentials,
  replaceConfirmation,
  updateConfirmationUsed,
  updateEmailConfirmed,
  updateEmailRefused,
  updateEmailRemoved,
  updateResetsEnded,
} from './queries.ts'
import { hashOfToken, newToken } from './tokens.ts'

const confirmationLifetimeMs = confirmationDays * 24 * 60 * 60 * 1000

/**
 * Creates the token of a confirmation mail, which is valid for this address only. Invalidates the tokens of earlier mails, but not those
 * of other attempts of the same job.
 */
export async function createConfirmationToken(
  db: Db,
  member: Pick<AddresseeRow, 'id' | 'email'>,
  job_id: string,
): Promise<string> {
  const { token, hash } = newToken()
  await inTransaction(db, (tx) =>
    replaceConfirmation(tx, {
      token_hash: hash,
      user_id: member.id,
      job_id,
      email: member.email,
      expires_at: new Date(Date.now() + confirmationLifetimeMs).toISOString(),
    }),
  )
  return token
}

/** Marks the member's address as confirmed and queues the mails that waited for it. */
export async function markConfirmed({ jobs }: Pick<Deps, 'jobs'>, tx: Tx, userId: number): Promise<void> {
  await updateEmailConfirmed(tx, userId)
  for (const { kind, data } of await deleteWaitingMails(tx, userId)) await jobs.add(tx, jobKind(kind), data)
}

/** Marks an address whose mailbox takes no mail. Mails to its member wait until they confirm it again, or another one. */
export async function markRefused(db: Db, email: string): Promise<void> {
  await updateEmailRefused(db, email)
}

/** Why a token does not confirm an address. */
const refusals = {
  used: authMessages.confirmUsed,
  replaced: authMessages.confirmReplaced,
  expired: authMessages.confirmExpired,
} as const

/** Confirms an address. Any of its tokens may come again. Throws `bad_request` with the reason for another token. */
export async function confirmAddress(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  token: string,
): Promise<{ message: string }> {
  const tokenHash = hashOfToken(token)
  return inTransaction(db, async (tx) => {
    const found = await findConfirmationForUpdate(tx, tokenHash)
    if (!found) throw new AppError('bad_request', authMessages.confirmInvalid)
    if (!found.is_its_address) throw new AppError('bad_request', authMessages.confirmOtherAddress)
    if (found.email_confirmed_at !== null) return { message: authMessages.alreadyConfirmed }
    if (found.ended || found.is_expired) throw new AppError('bad_request', refusals[found.ended ?? 'expired'])
    await updateConfirmationUsed(tx, tokenHash)
    await markConfirmed({ jobs }, tx, found.user_id)
    return { message: authMessages.confirmed }
  })
}

/**
 * Takes an unconfirmed address from an account that somebody else has registered with it, by a token of any mail to the address. The
 * account stays, because its member may have mistyped the address, and needs another one. Throws `bad_request` for an unknown token and
 * `conflict` for a confirmed address.
 */
export async function disownAddress(db: Db, token: string): Promise<{ message: string }> {
  return inTransaction(db, async (tx) => {
    const found = await findConfirmationForUpdate(tx, hashOfToken(token))
    if (!found) throw new AppError('bad_request', authMessages.confirmInvalid)
    if (!found.is_its_address) return { message: authMessages.disowned }
    if (found.email_confirmed_at !== null) throw new AppError('conflict', authMessages.disownConfirmed)
    await updateEmailRemoved(tx, found.user_id)
    await updateResetsEnded(tx, found.user_id, 'revoked')
    return { message: authMessages.disowned }
  })
}

/**
 * Queues a new confirmation mail unless the address is confirmed. Throws `conflict` without an address, and `not_authenticated` if the
 * account is deleted.
 */
export async function sendConfirmation(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  userId: number,
): Promise<{ message: string }> {
  const member = await findCredentials(db, userId)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  if (member.email === null) throw new AppError('conflict', authMessages.noAddress)
  if (member.email_confirmed_at !== null) return { message: authMessages.alreadyConfirmed }
  await inTransaction(db, (tx) => jobs.add(tx, sendConfirmationMail, { user_id: userId }))
  return { message: authMessages.confirmationSent }
}
