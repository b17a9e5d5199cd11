import type { BriefMember } from '#contract/fields.ts'
import type { PublicMember } from '#contract/members.ts'
import { memberMessages } from '#contract/members.ts'
import type { Preferences } from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import { avatarPath } from '#server/features/images/paths.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import {
  deleteBlock,
  findPreferences,
  insertBlock,
  listActiveMembers,
  listBlocked,
  listMembersNamed,
  listMembersNear,
  listPublicMembers,
  type PublicMemberRow,
  updateAccount,
} from './queries.ts'

/** Returns a public profile. Throws `not_found` for a deleted or suspended member. */
export async function publicProfile(db: Deps['db'], userId: number): Promise<PublicMember> {
  const [row] = await listPublicMembers(db, [userId])
  if (!row) throw new AppError('not_found', memberMessages.notFound)
  return toResponse(row)
}

/** Throws `not_found` unless the member exists and is not suspended. */
export async function requireMember(db: Deps['db'], userId: number): Promise<void> {
  if ((await listActiveMembers(db, [userId])).length === 0)
    throw new AppError('not_found', memberMessages.notFound)
}

/** Returns a public profile from the replica. Throws `not_found` for a deleted or suspended member. */
export function profileFor(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  caller: number,
  userId: number,
): Promise<PublicMember> {
  return reads.run(
    caller,
    (replica) => publicProfile(replica, userId),
    async (profile) => {
      await requireMember(db, userId)
      return profile
    },
  )
}

/** Returns public profiles by id, without deleted and suspended members. */
export async function publicMembers(
  db: Deps['db'],
  userIds: readonly number[],
): Promise<Map<number, PublicMember>> {
  const rows = userIds.length > 0 ? await listPublicMembers(db, userIds) : []
  return new Map(rows.map((row) => [row.id, toResponse(row)]))
}

const maxResults = 20

/** Returns up to 20 members by username, best match first, or without a word those near the caller. Reads from the replica. */
export function findMembers(
  { db, reads }: Pick<Deps, 'db' | 'reads'>,
  caller: number,
  word: string | undefined,
): Promise<PublicMember[]> {
  return reads.run(
    caller,
    async (replica) => {
      const rows =
        word === undefined
          ? await listMembersNear(replica, caller, maxResults)
          : await listMembersNamed(replica, caller, word, maxResults)
      return rows.map(toResponse)
    },
    async (found) => {
      const ids = found.map(({ id }) => id)
      const active = new Set(await listActiveMembers(db, ids))
      return found.filter(({ id }) => active.has(id))
    },
  )
}

function toResponse({ picture_name, zip_code, ...member }: PublicMemberRow): PublicMember {
  return {
    ...member,
    zip_code: fiveDigitsOf(zip_code),
    profile_picture: avatarPath(picture_name, 'large'),
  }
}

/** Returns the first five digits of a ZIP code. Others must not see ZIP+4, which identifies a side of a street. */
function fiveDigitsOf(zipCode: string | null): string | null {
  return /^\d{5}/.exec(zipCode ?? '')?.[0] ?? null
}

/** Blocks a member; blocking again changes nothing. Throws `not_found`, and `invalid` for oneself. */
export async function block(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  caller: number,
  userId: number,
): Promise<void> {
  if (caller === userId) throw invalid('id', memberMessages.blockSelf)
  await requireMember(db, userId)
  await inTransaction(db, async (tx) => {
    await insertBlock(tx, caller, userId)
    await events.publish(tx, 'members_blocked', { blocker_id: caller, blocked_id: userId })
  })
}

/** Removes a block. Throws `not_found` if there is none. */
export async function unblock(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  caller: number,
  userId: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteBlock(tx, caller, userId))) throw new AppError('not_found', memberMessages.notFound)
    await events.publish(tx, 'members_unblocked', { blocker_id: caller, blocked_id: userId })
  })
}

/** Returns the members whom the caller has blocked. */
export async function blockedMembers(db: Deps['db'], caller: number): Promise<BriefMember[]> {
  const rows = await listBlocked(db, caller)
  return rows.map(({ picture_name, ...member }) => ({
    ...member,
    profile_picture: avatarPath(picture_name, 'small'),
  }))
}

/** Changes the given preferences and returns all. */
export async function changePreferences(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  caller: number,
  input: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
): Promise<Preferences> {
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  await inTransaction(db, async (tx) => {
    await updateAccount(tx, caller, changes)
    await events.publish(tx, 'preferences_changed', { user_id: caller, changed: Object.keys(changes) })
  })
  return findPreferences(db, caller)
}
