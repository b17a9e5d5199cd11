import { listingMessages } from '#contract/listings.ts'
import { memberMessages } from '#contract/members.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { findUserId, updateListingHidden, updateMemberSuspended } from './queries.ts'

/** Takes a listing out of everyone's sight but its owner's, or brings it back. Throws `not_found`. */
export async function hideListing(db: Deps['db'], id: number, hidden: boolean): Promise<void> {
  if (!(await updateListingHidden(db, id, hidden))) throw new AppError('not_found', listingMessages.notFound)
}

/** Logs a member out everywhere, keeps them out, and takes what they list out of sight. Throws `not_found`. */
export async function suspendMember(
  { db, sessions }: Pick<Deps, 'db' | 'sessions'>,
  username: string,
): Promise<void> {
  const id = await memberNamed(db, username)
  await sessions.closeAll(id, {}, (tx) => updateMemberSuspended(tx, id, true))
}

/** Lets a suspended member in again; what they list is seen again. Throws `not_found`. */
export async function restoreMember(db: Deps['db'], username: string): Promise<void> {
  await updateMemberSuspended(db, await memberNamed(db, username), false)
}

async function memberNamed(db: Deps['db'], username: string): Promise<number> {
  const id = await findUserId(db, username)
  if (id === undefined) throw new AppError('not_found', memberMessages.notFound)
  return id
}
