import { limits } from '#contract/constants.ts'
import { type FriendStatus, friendMessages } from '#contract/friends.ts'
import { memberMessages } from '#contract/members.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { hasBlockAmong } from '#server/features/members/blocks.ts'
import { lockMembers } from '#server/features/members/lock-members.ts'
import { requireMember } from '#server/features/members/members.ts'
import {
  markReadFrom,
  type NotifyDeps,
  notify,
  retract,
} from '#server/features/notifications/notifications.ts'
import { afterCommit, inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { RateLimit } from '#server/platform/rate-limits.ts'
import type { Db, Tx } from '#server/tables.ts'
import { friendAccepted, friendNotifications, friendRequested } from './notifications.ts'
import {
  countFriends,
  deleteFriendship,
  type FriendshipRow,
  findFriendship,
  findRequester,
  updateFriendship,
  upsertRequest,
} from './queries.ts'

/** The dependencies of changes, which subscribers and sockets hear of. */
export type ChangeDeps = NotifyDeps & Pick<Deps, 'events'>
type FriendDeps = ChangeDeps & Pick<Deps, 'db'>

const noFriendship: FriendStatus = { status: 'none', is_sender: false, request_id: null }
const accepted = (is_sender: boolean): FriendStatus => ({ status: 'accepted', is_sender, request_id: null })

/** Returns the caller's friendship status with a member. It is `none` for a sender who was declined. Throws `not_found`. */
export async function friendshipStatus(db: Db, caller: number, other: number): Promise<FriendStatus> {
  await requireMember(db, other)
  const friendship = await findFriendship(db, caller, other)
  if (!friendship) return noFriendship
  const is_sender = friendship.requester_id === caller
  if (friendship.status === 'accepted') return accepted(is_sender)
  if (friendship.status === 'pending') return { status: 'pending', is_sender, request_id: friendship.id }
  return is_sender ? noFriendship : { status: 'rejected', is_sender, request_id: null }
}

interface RequestResult {
  readonly status: FriendStatus
  /** False if the request existed before. */
  readonly isNew: boolean
}

/**
 * Sends a friend request, or accepts the request of the other member. `perDay` counts only new requests. After several declines it
 * fails for a while with the same error as a block. Throws `invalid` for oneself, `not_found`, `forbidden`, `conflict` for a friend,
 * and `too_many`.
 */
export async function requestFriendship(
  { db, perDay, ...deps }: FriendDeps & { perDay: RateLimit },
  caller: number,
  other: number,
): Promise<RequestResult> {
  if (caller === other) throw invalid('friend_id', friendMessages.self)
  const before = await findFriendship(db, caller, other)
  if (!before || before.status === 'rejected') await perDay.attempt(String(caller))

  return inTransaction(db, async (tx): Promise<RequestResult> => {
    if ((await lockMembers(tx, [caller, other])).length < 2)
      throw new AppError('not_found', memberMessages.notFound)
    if (await hasBlockAmong(tx, [caller, other])) throw new AppError('forbidden', friendMessages.notPossible)
    const friendship = await findFriendship(tx, caller, other)
    if (friendship?.status === 'accepted') throw new AppError('conflict', friendMessages.friendsAlready)
    if (friendship?.status === 'pending') {
      if (friendship.requester_id === caller)
        return { status: { status: 'pending', is_sender: true, request_id: friendship.id }, isNew: false }
      await acceptRequest(deps, tx, friendship, caller)
      return { status: accepted(false), isNew: false }
    }
    const declines = friendship?.requester_id === caller ? friendship.declines : 0
    if (friendship && declines >= limits.friends.declines && isInCooldown(friendship))
      throw new AppError('forbidden', friendMessages.notPossible)
    await requireBelowLimit(tx, caller, other)
    const request_id = await upsertRequest(tx, caller, other, declines)
    publishChange(deps, tx, caller, other)
    await notify(deps, tx, friendRequested, [{ user_id: other, from_id: caller, data: {} }])
    return { status: { status: 'pending', is_sender: true, request_id }, isNew: true }
  })
}

function isInCooldown({ answered_at }: FriendshipRow): boolean {
  const cooldownMs = limits.friends.cooldownDays * 24 * 60 * 60 * 1000
  return answered_at !== null && Date.parse(answered_at) + cooldownMs > Date.now()
}

/** Throws `too_many` if the caller or the other member has the maximum number of friends. */
async function requireBelowLimit(tx: Tx, caller: number, other: number): Promise<void> {
  const tooMany = (message: string) => new AppError('too_many', message, { retryAfter: 24 * 60 * 60 })
  if ((await countFriends(tx, caller)) >= limits.friends.max) throw tooMany(friendMessages.tooManyFriends)
  if ((await countFriends(tx, other)) >= limits.friends.max) throw tooMany(friendMessages.theyHaveTooMany)
}

/** Accepts a request. Both members must be locked. */
async function acceptRequest(
  deps: ChangeDeps,
  tx: Tx,
  { id, requester_id }: FriendshipRow,
  accepter: number,
): Promise<void> {
  await requireBelowLimit(tx, accepter, requester_id)
  await updateFriendship(tx, id, { status: 'accepted', declines: 0, answered_at: now() })
  await deps.events.publish(tx, 'friendship_begun', { user_id: accepter, friend_id: requester_id })
  publishChange(deps, tx, accepter, requester_id)
  await markReadFrom(tx, friendRequested, accepter, requester_id)
  await notify(deps, tx, friendAccepted, [{ user_id: requester_id, from_id: accepter, data: {} }])
}

/** Accepts or declines a request to the caller. Throws `not_found` and `too_many`. */
export async function respondToRequest(
  { db, ...deps }: FriendDeps,
  caller: number,
  requestId: number,
  accept: boolean,
): Promise<FriendStatus> {
  const notFound = () => new AppError('not_found', friendMessages.requestNotFound)
  const other = await findRequester(db, requestId, caller)
  if (other === undefined) throw notFound()

  await inTransaction(db, async (tx) => {
    if ((await lockMembers(tx, [caller, other])).length < 2) throw notFound()
    const request = await findFriendship(tx, caller, other)
    if (request?.id !== requestId || request.status !== 'pending') throw notFound()
    if (accept) return acceptRequest(deps, tx, request, caller)
    await updateFriendship(tx, requestId, {
      status: 'rejected',
      declines: request.declines + 1,
      answered_at: now(),
    })
    await retractBetween(tx, caller, other)
    publishChange(deps, tx, caller, other)
  })
  return accept ? accepted(false) : { status: 'rejected', is_sender: false, request_id: null }
}

/** Ends a friendship or withdraws the caller's request, and deletes its notifications. Throws `not_found`. */
export async function removeFriendOrRequest(
  { db, events, realtime }: FriendDeps,
  caller: number,
  other: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockMembers(tx, [caller, other])
    const friendship = await findFriendship(tx, caller, other)
    const isOwnRequest = friendship?.status === 'pending' && friendship.requester_id === caller
    if (!friendship || !(friendship.status === 'accepted' || isOwnRequest))
      throw new AppError('not_found', friendMessages.notFriends)
    await endFriendship({ events }, tx, friendship, caller, other)
    await retractBetween(tx, caller, other)
    publishChange({ realtime }, tx, caller, other)
  })
}

/** Ends a friendship or a request because of a block, and deletes its notifications. A declined request stays declined. */
export async function endFriendshipForBlock(
  { events, realtime }: ChangeDeps,
  tx: Tx,
  blocker: number,
  blocked: number,
): Promise<void> {
  await lockMembers(tx, [blocker, blocked])
  await retractBetween(tx, blocker, blocked)
  const friendship = await findFriendship(tx, blocker, blocked)
  if (!friendship || friendship.status === 'rejected') {
    // The blocked member must not learn of the block.
    afterCommit(tx, () => realtime.publish([blocker], 'friends_changed', { user_id: blocked }))
    return
  }
  await endFriendship({ events }, tx, friendship, blocker, blocked)
  publishChange({ realtime }, tx, blocker, blocked)
}

/** Ends a friendship or a request. The row stays if it counts declines. */
async function endFriendship(
  { events }: Pick<Deps, 'events'>,
  tx: Tx,
  { id, status, declines }: FriendshipRow,
  one: number,
  other: number,
): Promise<void> {
  if (declines > 0) await updateFriendship(tx, id, { status: 'rejected', declines })
  else await deleteFriendship(tx, one, other)
  if (status === 'accepted') await events.publish(tx, 'friendship_ended', { user_id: one, friend_id: other })
}

/** Sends a friend request of the inviter to a new member, unless the inviter is deleted or suspended. */
export async function requestForInviter(
  deps: NotifyDeps,
  tx: Tx,
  inviter: number,
  newMember: number,
): Promise<void> {
  if ((await lockMembers(tx, [inviter])).length === 0) return
  await upsertRequest(tx, inviter, newMember, 0)
  await notify(deps, tx, friendRequested, [{ user_id: newMember, from_id: inviter, data: {} }])
}

/** Publishes to both members, after the commit, that something changed between them. */
function publishChange({ realtime }: Publisher, tx: Tx, one: number, other: number): void {
  afterCommit(tx, () => {
    realtime.publish([one], 'friends_changed', { user_id: other })
    realtime.publish([other], 'friends_changed', { user_id: one })
  })
}

/** Deletes the notifications of two members about their friendship and requests. */
async function retractBetween(tx: Tx, one: number, other: number): Promise<void> {
  await retract(tx, friendNotifications, { user_id: one, from_id: other, data: {} })
  await retract(tx, friendNotifications, { user_id: other, from_id: one, data: {} })
}

function now(): string {
  return new Date().toISOString()
}
