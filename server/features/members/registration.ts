import type { Profile, Registration } from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { hashChosenPassword, rethrowConflict } from '#server/features/auth/credentials.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { findProfile, insertMember } from './queries.ts'
import { claimUsername } from './usernames.ts'

/** Registers a member. Throws `invalid` for a common password and `conflict` if the username or e-mail is taken. */
export async function registerMember(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  { password, invitation, ...person }: Registration,
): Promise<Profile> {
  const password_hash = await hashChosenPassword(password, 'password', person)
  const user_id = await inTransaction(db, async (tx) => {
    await claimUsername(tx, person.username, null)
    const user_id = await insertMember(tx, { ...person, password_hash })
    await events.publish(tx, 'member_registered', { user_id, invitation })
    return user_id
  }).catch(rethrowConflict)
  return findProfile(db, user_id)
}
