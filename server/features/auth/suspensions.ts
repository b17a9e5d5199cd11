import { authMessages, type Credentials } from '#contract/auth.ts'
import { type Appeal, type DeskAppeal, type Suspension, suspensionMessages } from '#contract/suspensions.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, PastSuspension, Tx } from '#server/tables.ts'
import type { LoginLimit } from './limits.ts'
import { verifyPassword } from './passwords.ts'
import { findLogin } from './queries.ts'
import {
  deleteSuspension,
  findSuspension,
  listAppeals,
  listEndedSuspensions,
  updateAppeal,
  updateAppealAnswer,
  upsertSuspension,
} from './suspension-queries.ts'

/** The appeals that the desk shows. Others follow when these are answered. */
const maxAppeals = 100

type SuspensionDeps = Pick<Deps, 'db'> & { readonly tries: LoginLimit }

export const storeSuspension = upsertSuspension
export const storeAppealAnswer = updateAppealAnswer
export const endedSuspensions = listEndedSuspensions

/** Deletes the suspension of a suspended member and returns it. */
export async function forgetSuspension(tx: Tx, userId: number): Promise<PastSuspension> {
  // A command of the shell has stored none.
  return (await deleteSuspension(tx, userId)) ?? { rule: null, reason: null, ends_at: null }
}

/** Returns whether the time of a member's suspension is over. Lock the member before. */
export async function isSuspensionOver(tx: Tx, userId: number): Promise<boolean> {
  const ends_at = (await findSuspension(tx, userId))?.ends_at ?? null
  return ends_at !== null && Date.parse(ends_at) <= Date.now()
}

/**
 * Returns why and until when a member is suspended, for who knows the password. Attempts count towards the limit of logins. Throws
 * `not_authenticated`, `not_found` if the member is not suspended, and `too_many`.
 */
export async function tellSuspension(
  { db, tries }: SuspensionDeps,
  credentials: Credentials,
  address: string,
): Promise<Suspension> {
  await tries.attempt(credentials.username, address)
  const id = await suspendedMember(db, credentials)
  const found = await findSuspension(db, id)
  return {
    rule: found?.rule ?? null,
    reason: found?.reason ?? null,
    ends_at: found?.ends_at ?? null,
    may_appeal: found !== undefined && found.appeal === null,
    appeal_answer: found?.appeal_answer ?? null,
  }
}

/** Returns the newest appeals of suspended members that wait for an answer. */
export function newestAppeals(db: Db): Promise<DeskAppeal[]> {
  return listAppeals(db, maxAppeals)
}

/** Stores the one appeal of a suspended member and tells the desk. Throws like `tellSuspension`, and `conflict` for a second one. */
export async function appeal(
  { db, tries }: SuspensionDeps,
  { text, ...credentials }: Appeal,
  address: string,
  tellDesk: (tx: Tx) => Promise<void>,
): Promise<{ message: string }> {
  await tries.attempt(credentials.username, address)
  const id = await suspendedMember(db, credentials)
  await inTransaction(db, async (tx) => {
    if (!(await updateAppeal(tx, id, text)))
      throw new AppError('conflict', suspensionMessages.appealedAlready)
    await tellDesk(tx)
  })
  return { message: suspensionMessages.appealed }
}

async function suspendedMember(db: Db, { username, password }: Credentials): Promise<number> {
  const member = await findLogin(db, username)
  const isRight = await verifyPassword(member?.password_hash, password)
  if (!member || !isRight) throw new AppError('not_authenticated', authMessages.incorrectLogin)
  if (!member.suspended_at) throw new AppError('not_found', suspensionMessages.notSuspended)
  return member.id
}
