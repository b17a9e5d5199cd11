import { authMessages, type Profile } from '#contract/auth.ts'
import type { ProfileChanges } from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import {
  currentPasswordRefused,
  handleEmailChange,
  hashNewPassword,
  replacePassword,
  requireCurrentPassword,
  requirePassword,
  rethrowConflict,
} from '#server/features/auth/credentials.ts'
import { sendEmailChangedMail } from '#server/features/auth/job-kinds.ts'
import type { LoginLimit } from '#server/features/auth/limits.ts'
import { requireNoBan } from '#server/features/bans/bans.ts'
import { dropImagesOf } from '#server/features/images/store-image.ts'
import { movedTo } from '#server/features/locations/places.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { RateLimit } from '#server/platform/rate-limits.ts'
import type { Db, Tx } from '#server/tables.ts'
import { deleteMember, findAccountForUpdate, findProfile, updateAccount } from './queries.ts'
import { claimNames, giveUpUsername } from './taken-names.ts'

interface ChangeLimits {
  readonly perDay: RateLimit
  readonly usernamesPerDay: RateLimit
  readonly tries: LoginLimit
}

/**
 * Changes the given fields. A new password or e-mail requires the current password and sends a mail. A new password ends the other
 * sessions. Throws `conflict` if the username or e-mail is taken, `invalid` for a common password and a banned domain, `forbidden` for a wrong current
 * password, and `too_many`.
 */
export async function changeProfile(
  deps: Pick<Deps, 'db' | 'events' | 'jobs' | 'region' | 'sessions'> & ChangeLimits,
  member: Caller,
  { password, current_password, ...changes }: ProfileChanges,
  address: string,
): Promise<Profile> {
  const { db, jobs, sessions, perDay, usernamesPerDay } = deps
  // Limited, because it sends mail to an address that the caller chooses, hashes a password or shows whether an e-mail is taken.
  if (password || changes.email !== undefined) await perDay.attempt(String(member.id))
  const { hasNewEmail, hasNewUsername } = await compareNames(db, member.id, changes)
  if (hasNewEmail && changes.email) await requireNoBan(db, { email: changes.email })
  // Limited, because each username that is given up stays reserved.
  if (hasNewUsername) await usernamesPerDay.attempt(String(member.id))
  const needsPassword = password || hasNewEmail
  const proof =
    needsPassword && (await requireCurrentPassword(deps, member, { password: current_password, address }))
  const saveChanges = async (tx: Tx) => {
    if (proof) await proof(tx)
    await updateChangedFields(deps, tx, member.id, changes, { mayChangeEmail: Boolean(proof) })
  }
  if (password) {
    const password_hash = await hashNewPassword(db, member.id, password, 'password')
    await sessions
      .closeAll(member.id, { caller: member.session, keep: member.session }, async (tx) => {
        await saveChanges(tx)
        await replacePassword({ jobs }, tx, member.id, password_hash)
      })
      .catch(rethrowConflict)
  } else {
    await inTransaction(db, saveChanges).catch(rethrowConflict)
  }
  return findProfile(db, member.id)
}

/** Returns whether an e-mail (ignoring case) and a username differ from the member's. */
async function compareNames(db: Db, userId: number, { email, username }: ProfileChanges) {
  const before = email === undefined && username === undefined ? undefined : await findProfile(db, userId)
  return {
    hasNewEmail: email !== undefined && email.toLowerCase() !== before?.email.toLowerCase(),
    hasNewUsername: username !== undefined && username !== before?.username,
  }
}

/**
 * Updates the fields that differ. Publishes a new location and follows up a new e-mail. An empty text is stored as null.
 * Throws `forbidden` for a new e-mail that is not allowed.
 */
async function updateChangedFields(
  { events, jobs, region }: Pick<Deps, 'events' | 'jobs' | 'region'>,
  tx: Tx,
  userId: number,
  input: Omit<ProfileChanges, 'password' | 'current_password'>,
  { mayChangeEmail }: { mayChangeEmail: boolean },
): Promise<void> {
  const before = await findAccountForUpdate(tx, userId)
  const changes = Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, value === '' ? null : value])
      .filter(([field, value]) => before[field as keyof typeof before] !== value),
  )
  const hasNewEmail =
    changes.email !== undefined && changes.email?.toLowerCase() !== before.email?.toLowerCase()
  // The address has changed since the call found that it needs no password.
  if (hasNewEmail && !mayChangeEmail) throw currentPasswordRefused(authMessages.enterCurrentPassword)
  const moved = movedTo(region.country, before, changes)
  if (changes.username) await giveUpUsername(tx, userId)
  await claimNames(tx, changes, userId)
  await updateAccount(tx, userId, {
    ...changes,
    ...moved,
    ...(hasNewEmail ? { email_confirmed_at: null, email_refused_at: null } : {}),
  })
  if (moved) await events.publish(tx, 'member_moved', { user_id: userId, ...moved })
  if (hasNewEmail) await handleEmailChange({ jobs }, tx, userId, before)
}

/** Suspends a member or ends the suspension. */
export async function setSuspended(
  { events }: Pick<Deps, 'events'>,
  tx: Tx,
  userId: number,
  suspended: boolean,
): Promise<void> {
  await updateAccount(tx, userId, { suspended_at: suspended ? new Date().toISOString() : null })
  await events.publish(tx, suspended ? 'member_suspended' : 'member_unsuspended', { user_id: userId })
}

/** Deletes the account with its listings, photos, friendships and sessions. Throws `invalid` for a wrong password, and `too_many`. */
export async function deleteAccount(
  {
    db,
    events,
    jobs,
    sessions,
    tries,
  }: Pick<Deps, 'db' | 'events' | 'jobs' | 'sessions'> & {
    tries: LoginLimit
  },
  member: Caller,
  entered: { password: string; address: string },
): Promise<void> {
  const proof = await requirePassword({ db, tries }, member.id, entered)
  await sessions.closeAll(member.id, { caller: member.session }, async (tx) => {
    await proof(tx)
    await deleteInTransaction({ events, jobs }, tx, member.id)
  })
}

/** Deletes an account in a transaction that ends its sessions. */
export async function deleteInTransaction(
  { events, jobs }: Pick<Deps, 'events' | 'jobs'>,
  tx: Tx,
  user_id: number,
): Promise<void> {
  await events.publish(tx, 'member_deleted', { user_id })
  await dropImagesOf({ jobs }, tx, user_id)
  await giveUpUsername(tx, user_id)
  await deleteMember(tx, user_id)
  // The data of no other kind of job has more than ids.
  await jobs.deleteByData(tx, sendEmailChangedMail, { user_id })
}
