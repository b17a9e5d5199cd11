import { type RegistrationRequest, registrationRequestMessages } from '#contract/registration-requests.ts'
import type { Deps } from '#server/deps.ts'
import { rethrowConflict } from '#server/features/auth/credentials.ts'
import {
  oldestRegistrationRequests,
  takeRegistrationRequest,
} from '#server/features/auth/registration-requests.ts'
import { isBanned } from '#server/features/bans/bans.ts'
import { recordAction } from '#server/features/desk/audit.ts'
import { createMember } from '#server/features/members/registration.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Tx } from '#server/tables.ts'
import { sendRefusalMail } from './job-kinds.ts'

/** The requests that the desk shows. Others follow when these are answered. */
const maxRequests = 100

export function oldestRequests(db: Db): Promise<RegistrationRequest[]> {
  return oldestRegistrationRequests(db, maxRequests)
}

/**
 * Makes a member of who waits, with the invitation they came by. Throws `conflict` if the request is answered, or
 * if its network or mail domain was banned since: a moderator can refuse it, and an operator lift the ban.
 */
export async function approveRequest(
  deps: Pick<Deps, 'db' | 'events'>,
  actor: number,
  id: number,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const { network, invitation, created_at: registered_at, ...account } = await takeRequest(tx, id)
    if (await isBanned(tx, { email: account.email, network }))
      throw new AppError('conflict', registrationRequestMessages.banned)
    const member = await createMember(deps, tx, account, {
      network,
      registered_at,
      invitation: invitation ?? undefined,
      is_approved: true,
    })
    await recordAction(tx, actor, { action: 'registration_approved', target: ['member', member] })
  }).catch(rethrowConflict)
}

/** Deletes a request and mails its sender. Nothing of them stays, so the audit log has the reason only. Throws `conflict` like `approveRequest`. */
export async function refuseRequest(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  actor: number,
  id: number,
  reason: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { email, first_name, language } = await takeRequest(tx, id)
    await jobs.add(tx, sendRefusalMail, { email, first_name, language, reason })
    await recordAction(tx, actor, {
      action: 'registration_refused',
      target: ['site', 0],
      reason: reason || null,
    })
  })
}

async function takeRequest(tx: Tx, id: number) {
  const request = await takeRegistrationRequest(tx, id)
  if (!request) throw new AppError('conflict', registrationRequestMessages.answered)
  return request
}
