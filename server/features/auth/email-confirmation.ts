import { authMessages } from '#contract/auth.ts'
import { confirmationDays } from '#contract/constants.ts'
import { errorMessages } from '#contract/error-messages.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { jobKind } from '#server/platform/jobs.ts'
import type { Db } from '#server/tables.ts'
import { sendConfirmationMail } from './job-kinds.ts'
import {
  type AddresseeRow,
  deleteConfirmation,
  deleteWaitingMails,
  findAddressee,
  replaceConfirmation,
  updateEmailConfirmed,
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

/** Confirms an address and queues the mails that waited for it. Throws `bad_request`. */
export async function confirmAddress(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  token: string,
): Promise<{ message: string }> {
  await inTransaction(db, async (tx) => {
    const confirmed = await deleteConfirmation(tx, hashOfToken(token))
    if (!confirmed || !(await updateEmailConfirmed(tx, confirmed.user_id, confirmed.email))) {
      throw new AppError('bad_request', authMessages.confirmInvalid)
    }
    for (const { kind, data } of await deleteWaitingMails(tx, confirmed.user_id)) {
      await jobs.add(tx, jobKind(kind), data)
    }
  })
  return { message: authMessages.confirmed }
}

/** Queues a new confirmation mail unless the address is confirmed. Throws `not_authenticated` if the account is deleted. */
export async function sendConfirmation(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  userId: number,
): Promise<{ message: string }> {
  const member = await findAddressee(db, userId)
  if (!member) throw new AppError('not_authenticated', errorMessages.notAuthenticated)
  if (member.email_confirmed_at !== null) return { message: authMessages.alreadyConfirmed }
  await inTransaction(db, (tx) => jobs.add(tx, sendConfirmationMail, { user_id: userId }))
  return { message: authMessages.confirmationSent }
}
