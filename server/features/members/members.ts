import type { PublicMember } from '#contract/members.ts'
import { memberMessages } from '#contract/members.ts'
import type { Preferences } from '#contract/profile.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { lockMembers } from './lock-members.ts'
import {
  deleteBlock,
  findPreferences,
  insertBlock,
  listActiveMembers,
  listMembersNamed,
  listMembersNear,
  listPublicMembers,
  updateAccount,
} from './queries.ts'

/** Returns a public profile. Throws `not_found` for a deleted or suspended member. */
export async function publicProfile(db: Db, userId: number): Promise<PublicMember> {
  const [member] = await listPublicMembers(db, [userId])
  if (!member) throw new AppError('not_found', memberMessages.notFound)
  return member
}

/** Throws `not_found` unless the member exists and is not suspended. */
export async function requireMember(db: Db, userId: number): Promise<void> {
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
export async function publicMembers(db: Db, userIds: readonly number[]): Promise<Map<number, PublicMember>> {
  const members = userIds.length > 0 ? await listPublicMembers(db, userIds) : []
  return new Map(members.map((member) => [member.id, member]))
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
    (replica) =>
      word === undefined
        ? listMembersNear(replica, caller, maxResults)
        : listMembersNamed(replica, caller, word, maxResults),
    async (found) => {
      const ids = found.map(({ id }) => id)
      const active = new Set(await listActiveMembers(db, ids))
      return found.filter(({ id }) => active.has(id))
    },
  )
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

/** Changes the given preferences and returns all. */
export async function changePreferences(
  { db, events }: Pick<Deps, 'db' | 'events'>,
  caller: number,
  input: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
): Promise<Preferences> {
  await inTransaction(db, async (tx) => {
    await lockMembers(tx, [caller])
    const before = await findPreferences(tx, caller)
    const changes = Object.fromEntries(
      Object.entries(input).filter(
        ([name, value]) => value !== undefined && value !== before[name as keyof Preferences],
      ),
    )
    const { match_radius } = changes
    await updateAccount(tx, caller, {
      ...changes,
      ...(match_radius !== undefined && { match_anywhere: match_radius === null }),
    })
    await events.publish(tx, 'preferences_changed', { user_id: caller, changed: Object.keys(changes) })
  })
  return findPreferences(db, caller)
}
