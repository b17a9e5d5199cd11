import { memberMessages } from '#contract/members.ts'
import type { Deps } from '#server/deps.ts'
import { setHidden } from '#server/features/listings/edit.ts'
import { setSuspended } from '#server/features/members/account.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { findUserId } from './queries.ts'

/** Hides a listing from everyone except its owner, or shows it again. Throws `not_found`. */
export async function hideListing(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  id: number,
  hidden: boolean,
): Promise<void> {
  await inTransaction(db, (tx) => setHidden({ events }, tx, id, hidden))
}

/** Suspends a member: ends all sessions, refuses logins and hides the listings. Throws `not_found`. */
export async function suspendMember(
  { db, events, sessions }: Pick<Deps, 'db' | 'events' | 'sessions'>,
  username: string,
): Promise<void> {
  const id = await memberNamed(db, username)
  await sessions.closeAll(id, {}, (tx) => setSuspended({ events }, tx, id, true))
}

/** Ends the suspension of a member and shows their listings again. Throws `not_found`. */
export async function restoreMember(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  username: string,
): Promise<void> {
  const id = await memberNamed(db, username)
  await inTransaction(db, (tx) => setSuspended({ events }, tx, id, false))
}

async function memberNamed(db: Db, username: string): Promise<number> {
  const id = await findUserId(db, username)
  if (id === undefined) throw new AppError('not_found', memberMessages.notFound)
  return id
}
