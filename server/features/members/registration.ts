import type { Profile, Registration } from '#contract/auth.ts'
import type { Language } from '#contract/languages.ts'
import type { Deps } from '#server/deps.ts'
import { hashChosenPassword, rethrowConflict } from '#server/features/auth/credentials.ts'
import { requireNoBan, storeNetwork } from '#server/features/bans/bans.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { findProfile, insertMember } from './queries.ts'
import { claimUsername } from './usernames.ts'

/**
 * Registers a member, with the best language for their browser. Throws `invalid` for a common password and a banned domain, `forbidden` for
 * a banned network, and `conflict` if the username or e-mail is taken.
 */
export async function registerMember(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  { password, invitation, ...person }: Registration,
  { address, language }: { address: string; language: Language | undefined },
): Promise<Profile> {
  await requireNoBan(db, { email: person.email, address })
  const password_hash = await hashChosenPassword(password, 'password', person)
  const user_id = await inTransaction(db, async (tx) => {
    await claimUsername(tx, person.username, null)
    const user_id = await insertMember(tx, { ...person, password_hash, language: language ?? null })
    await storeNetwork(tx, user_id, address)
    await events.publish(tx, 'member_registered', { user_id, invitation })
    return user_id
  }).catch(rethrowConflict)
  return findProfile(db, user_id)
}
