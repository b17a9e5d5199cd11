import type { Profile, Registration } from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { acceptInvitation } from '#server/features/invitations/invitations.ts'
import { ownProfile } from '#server/features/members/profile.ts'
import { hashChosenPassword, nameTaken } from './credentials.ts'
import { welcomeMail } from './job-kinds.ts'
import { insertMember } from './queries.ts'

/** Makes a member, and welcomes them by mail; whoever invited them has asked to be friends. Throws `invalid` for a common password and `conflict` for a name taken. */
export async function registerMember(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { password, invitation, ...person }: Registration,
): Promise<Profile> {
  const password_hash = await hashChosenPassword(password, 'password', person)
  const id = await db
    .transaction()
    .execute(async (tx) => {
      const id = await insertMember(tx, { ...person, password_hash })
      if (invitation) await acceptInvitation(tx, id, invitation)
      await jobs.add(tx, welcomeMail, { user_id: id })
      return id
    })
    .catch(nameTaken)
  return ownProfile(db, id)
}
