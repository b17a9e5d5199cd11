import { authSentences, type NewMember, type Profile } from '#contract/auth.ts'
import type { Deps } from '#server/deps.ts'
import { ownProfile } from '#server/features/members/profile.ts'
import { uniqueViolation } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { welcomeMail } from './jobs.ts'
import { hashPassword } from './passwords.ts'
import { insertMember } from './queries.ts'

const taken: Record<string, string> = {
  users_email: authSentences.emailTaken,
  users_username: authSentences.usernameTaken,
}

/** Makes a member, and welcomes them by mail. Throws `invalid` for a common password and `conflict` for a name taken. */
export async function registerMember(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { password, ...person }: NewMember,
): Promise<Profile> {
  if (await isCommonPassword(password)) throw invalid('password', authSentences.commonPassword)
  const password_hash = await hashPassword(password)
  try {
    const id = await db.transaction().execute(async (tx) => {
      const id = await insertMember(tx, { ...person, password_hash })
      await jobs.add(tx, welcomeMail, { user_id: id })
      return id
    })
    return await ownProfile(db, id)
  } catch (error) {
    const sentence = taken[uniqueViolation(error) ?? '']
    if (sentence === undefined) throw error
    throw new AppError('conflict', sentence)
  }
}
