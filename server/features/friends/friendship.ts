import type { Transaction } from 'kysely'
import { limits } from '#contract/constants.ts'
import { type FriendStatus, friendMessages } from '#contract/friends.ts'
import { memberMessages } from '#contract/members.ts'
import type { Deps, Publisher } from '#server/deps.ts'
import { notify, resolveNotification, takeBack } from '#server/features/notifications/notifications.ts'
import { afterCommit, retryDeadlock } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import type { RateLimit } from '#server/platform/rate-limits.ts'
import type { Tables } from '#server/tables.ts'
import {
  countFriends,
  deleteFriendship,
  type FriendshipRow,
  findFriendship,
  findRequester,
  hasBlock,
  isShown,
  lockMembers,
  updateFriendship,
  upsertRequest,
} from './queries.ts'

export type Channels = Publisher & Pick<Deps, 'events'>
type Needs = Channels & Pick<Deps, 'db'>

const nothing: FriendStatus = { status: 'none', is_sender: false, request_id: null }
const accepted = (is_sender: boolean): FriendStatus => ({ status: 'accepted', is_sender, request_id: null })

/** How the caller stands with a member. Who was declined is not told: to them it reads `none`. Throws `not_found`. */
export async function friendshipStatus(db: Deps['db'], caller: number, other: number): Promise<FriendStatus> {
  if (!(await isShown(db, other))) throw new AppError('not_found', memberMessages.notFound)
  const friendship = await findFriendship(db, caller, other)
  if (!friendship) return nothing
  const is_sender = friendship.requester_id === caller
  if (friendship.status === 'accepted') return accepted(is_sender)
  if (friendship.status === 'pending') return { status: 'pending', is_sender, request_id: friendship.id }
  return is_sender ? nothing : { status: 'rejected', is_sender, request_id: null }
}

interface Asked {
  readonly status: FriendStatus
  /** False when the caller had asked before. */
  readonly isNew: boolean
}

/**
 * Asks a member to be friends; when they have asked already, both are friends now. `perDay` counts only who is asked anew.
 * Sends a friend request. A declined member may ask again a few times; then the answer is for a while the one of a block.
 * Throws `invalid` for oneself, `not_found`, `forbidden`, `conflict` for a friend, and `too_many`.
 */
export async function askToBeFriends(
  { db, events, realtime, perDay }: Needs & { perDay: RateLimit },
  caller: number,
  other: number,
): Promise<Asked> {
  if (caller === other) throw invalid('friend_id', friendMessages.self)
  const before = await findFriendship(db, caller, other)
  if (!before || before.status === 'rejected') await perDay.attempt(String(caller))

  return db.transaction().execute(async (tx): Promise<Asked> => {
    if ((await lockMembers(tx, caller, other)).length < 2)
      throw new AppError('not_found', memberMessages.notFound)
    if (await hasBlock(tx, caller, other)) throw new AppError('forbidden', friendMessages.notPossible)
    const friendship = await findFriendship(tx, caller, other)
    if (friendship?.status === 'accepted') throw new AppError('conflict', friendMessages.friendsAlready)
    if (friendship?.status === 'pending') {
      if (friendship.requester_id === caller)
        return { status: { status: 'pending', is_sender: true, request_id: friendship.id }, isNew: false }
      await makeFriends({ events, realtime }, tx, friendship, caller)
      return { status: accepted(false), isNew: false }
    }
    const declines = friendship?.requester_id === caller ? friendship.declines : 0
    if (friendship && declines >= limits.friends.declines && restsStill(friendship))
      throw new AppError('forbidden', friendMessages.notPossible)
    await requireRoom(tx, caller, other)
    const request_id = await upsertRequest(tx, caller, other, declines)
    await publishChange({ realtime }, tx, caller, other)
    await notify({ realtime }, tx, { user_id: other, from_id: caller, kind: 'friend_request' })
    return { status: { status: 'pending', is_sender: true, request_id }, isNew: true }
  })
}

function restsStill({ answered_at }: FriendshipRow): boolean {
  const cooldownMs = limits.friends.daysOfRest * 24 * 60 * 60 * 1000
  return answered_at !== null && Date.parse(answered_at) + cooldownMs > Date.now()
}

/** Throws `too_many` when one of the two has as many friends as one can have; the caller's own number is said first. */
async function requireRoom(tx: Transaction<Tables>, caller: number, other: number): Promise<void> {
  const full = (sentence: string) => new AppError('too_many', sentence, { retryAfter: 24 * 60 * 60 })
  if ((await countFriends(tx, caller)) >= limits.friends.most) throw full(friendMessages.tooManyFriends)
  if ((await countFriends(tx, other)) >= limits.friends.most) throw full(friendMessages.theyHaveTooMany)
}

/** Makes a request a friendship. Both members are locked. */
async function makeFriends(
  { events, realtime }: Channels,
  tx: Transaction<Tables>,
  { id, requester_id }: FriendshipRow,
  accepter: number,
): Promise<void> {
  await requireRoom(tx, accepter, requester_id)
  await updateFriendship(tx, id, { status: 'accepted', declines: 0, answered_at: now() })
  await events.publish(tx, 'friendship_begun', { user_id: accepter, friend_id: requester_id })
  await publishChange({ realtime }, tx, accepter, requester_id)
  await resolveNotification(tx, { user_id: accepter, from_id: requester_id, kind: 'friend_request' })
  await notify({ realtime }, tx, { user_id: requester_id, from_id: accepter, kind: 'friend_accepted' })
}

/** Accepts or declines. Throws `not_found` when no such request waits for the caller, and `too_many`. */
export async function answerRequest(
  { db, events, realtime }: Needs,
  caller: number,
  requestId: number,
  accept: boolean,
): Promise<FriendStatus> {
  const gone = () => new AppError('not_found', friendMessages.requestNotFound)
  const other = await findRequester(db, requestId, caller)
  if (other === undefined) throw gone()

  await db.transaction().execute(async (tx) => {
    if ((await lockMembers(tx, caller, other)).length < 2) throw gone()
    const request = await findFriendship(tx, caller, other)
    if (request?.id !== requestId || request.status !== 'pending') throw gone()
    if (accept) return makeFriends({ events, realtime }, tx, request, caller)
    await updateFriendship(tx, requestId, {
      status: 'rejected',
      declines: request.declines + 1,
      answered_at: now(),
    })
    await takeBack(tx, { user_id: caller, from_id: other, kind: 'friend_request' })
    await publishChange({ realtime }, tx, caller, other)
  })
  return accept ? accepted(false) : { status: 'rejected', is_sender: false, request_id: null }
}

/** Ends a friendship, or withdraws the caller's request; with it goes what was told of it. Throws `not_found`. */
export async function removeFriendOrRequest(
  { db, events, realtime }: Needs,
  caller: number,
  other: number,
): Promise<void> {
  await retryDeadlock(db, async (tx) => {
    await lockMembers(tx, caller, other)
    const friendship = await findFriendship(tx, caller, other)
    const isOwnRequest = friendship?.status === 'pending' && friendship.requester_id === caller
    if (!friendship || !(friendship.status === 'accepted' || isOwnRequest))
      throw new AppError('not_found', friendMessages.notFriends)
    await endFriendship({ events }, tx, friendship, caller, other)
    await takeBack(tx, { user_id: other, from_id: caller })
    await takeBack(tx, { user_id: caller, from_id: other })
    await publishChange({ realtime }, tx, caller, other)
  })
}

/** Ends a friendship or a request because of a block. A request that was declined stays declined. */
export async function endForBlock(
  { events, realtime }: Channels,
  tx: Transaction<Tables>,
  blocker: number,
  blocked: number,
): Promise<void> {
  await lockMembers(tx, blocker, blocked)
  await takeBack(tx, { user_id: blocked, from_id: blocker })
  await takeBack(tx, { user_id: blocker, from_id: blocked })
  const friendship = await findFriendship(tx, blocker, blocked)
  if (!friendship || friendship.status === 'rejected') {
    // The blocked member must not learn of the block.
    await afterCommit(tx, () => realtime.publish([blocker], 'friends_changed', { user_id: blocked }))
    return
  }
  await endFriendship({ events }, tx, friendship, blocker, blocked)
  await publishChange({ realtime }, tx, blocker, blocked)
}

/** Ends a friendship or a request. The row stays while it says how often the requester was declined. */
async function endFriendship(
  { events }: Pick<Deps, 'events'>,
  tx: Transaction<Tables>,
  { id, status, declines }: FriendshipRow,
  one: number,
  other: number,
): Promise<void> {
  if (declines > 0) await updateFriendship(tx, id, { status: 'rejected', declines })
  else await deleteFriendship(tx, one, other)
  if (status === 'accepted') await events.publish(tx, 'friendship_ended', { user_id: one, friend_id: other })
}

/** The request of whoever invited a new member: it waits for them from their first minute. */
export async function askInvited(
  deps: Publisher,
  tx: Transaction<Tables>,
  inviter: number,
  newMember: number,
): Promise<void> {
  if ((await lockMembers(tx, inviter)).length === 0) return
  await upsertRequest(tx, inviter, newMember, 0)
  await notify(deps, tx, { user_id: newMember, from_id: inviter, kind: 'friend_request' })
}

/** Publishes to both members, after the commit, that something changed between them. */
function publishChange(
  { realtime }: Publisher,
  tx: Transaction<Tables>,
  one: number,
  other: number,
): Promise<void> {
  return afterCommit(tx, () => {
    realtime.publish([one], 'friends_changed', { user_id: other })
    realtime.publish([other], 'friends_changed', { user_id: one })
  })
}

function now(): string {
  return new Date().toISOString()
}
