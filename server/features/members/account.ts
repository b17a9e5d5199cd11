import type { Transaction } from 'kysely'
import type { Profile } from '#contract/auth.ts'
import type { ProfileChanges } from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import {
  emailReplaced,
  hashNewPassword,
  nameTaken,
  replacePassword,
  requireCurrentPassword,
  requirePassword,
} from '#server/features/auth/credentials.ts'
import type { LoginLimit } from '#server/features/auth/limits.ts'
import { dropImage } from '#server/features/images/store-image.ts'
import { postalCodeId } from '#server/features/locations/postal-codes.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { RateLimit } from '#server/platform/rate-limits.ts'
import type { Tables } from '#server/tables.ts'
import { ownProfile } from './profile.ts'
import { deleteMember, findAccountForUpdate, listImageNames, updateAccount } from './queries.ts'

/**
 * Changes what is sent and nothing else. A new password ends the member's other sessions; it and a new e-mail are announced
 * by mail, and needs the current password. Throws `conflict` for a name taken, `invalid` for a common password, `forbidden` for
 * a wrong current one, and `too_many`.
 */
export async function changeProfile(
  deps: Pick<Deps, 'db' | 'events' | 'jobs' | 'sessions'> & { perDay: RateLimit; tries: LoginLimit },
  member: Caller,
  { password, current_password, ...changes }: ProfileChanges,
  address: string,
): Promise<Profile> {
  const { db, jobs, sessions, perDay } = deps
  // Each of the two is announced by mail, a new e-mail to an address of the caller's choice; and each costs a hash or tells of others.
  if (password || changes.email !== undefined) await perDay.attempt(String(member.id))
  const needsPassword = password || (await isNewEmail(db, member.id, changes.email))
  const proof =
    needsPassword && (await requireCurrentPassword(deps, member, { password: current_password, address }))
  const work = async (tx: Transaction<Tables>) => {
    if (proof) await proof(tx)
    await changeRow(deps, tx, member.id, changes)
  }
  if (password) {
    const password_hash = await hashNewPassword(db, member.id, password, 'password')
    await sessions
      .closeAll(member.id, { caller: member.session, keep: member.session }, async (tx) => {
        await work(tx)
        await replacePassword({ jobs }, tx, member.id, password_hash)
      })
      .catch(nameTaken)
  } else {
    await db.transaction().execute(work).catch(nameTaken)
  }
  return ownProfile(db, member.id)
}

/** Whether an e-mail is another than the member's. The same in other letters is not. */
async function isNewEmail(db: Deps['db'], userId: number, email: string | undefined): Promise<boolean> {
  if (email === undefined) return false
  const { email: before } = await ownProfile(db, userId)
  return email.toLowerCase() !== before.toLowerCase()
}

async function changeRow(
  { events, jobs }: Pick<Deps, 'events' | 'jobs'>,
  tx: Transaction<Tables>,
  userId: number,
  sent: Omit<ProfileChanges, 'password' | 'current_password'>,
): Promise<void> {
  const before = await findAccountForUpdate(tx, userId)
  const changes = Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, value === '' ? null : value])
      .filter(([field, value]) => before[field as keyof typeof before] !== value),
  )
  const newAddress =
    changes.email !== undefined && changes.email?.toLowerCase() !== before.email.toLowerCase()
  const moved =
    changes.zip_code === undefined ? undefined : { postal_code_id: postalCodeId(changes.zip_code) }
  await updateAccount(tx, userId, {
    ...changes,
    ...moved,
    ...(newAddress ? { email_confirmed_at: null } : {}),
  })
  if (moved) await events.publish(tx, 'member_moved', { user_id: userId, ...moved })
  if (newAddress) await emailReplaced({ jobs }, tx, userId, before)
}

/** Deletes the account with all that is the member's: listings, photos, friendships, sessions. Throws `invalid`, `too_many`. */
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
  given: { password: string; address: string },
): Promise<void> {
  const proof = await requirePassword({ db, tries }, member.id, given)
  await sessions.closeAll(member.id, { caller: member.session }, async (tx) => {
    await proof(tx)
    const photos = await listImageNames(tx, member.id)
    await events.publish(tx, 'member_deleted', { user_id: member.id })
    await deleteMember(tx, member.id)
    await jobs.deleteByData(tx, { user_id: member.id })
    for (const name of photos) await dropImage({ jobs }, tx, name)
  })
}
