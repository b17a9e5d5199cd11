import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import type { Actor } from './actor.ts'

export const tryRequest = (sender: Actor, receiver: Actor) =>
  sender.try(requestFriend, { body: { friend_id: receiver.id } })
export const respond = (receiver: Actor, request_id: number | null, accept: boolean) =>
  receiver.try(respondToFriend, { body: { request_id: request_id ?? 0, accept } })
export const unfriend = (one: Actor, other: Actor) => one.try(removeFriend, { params: { id: other.id } })
export const statusOf = (one: Actor, other: Actor) => one.call(getFriendStatus, { params: { id: other.id } })
export const friendNamesOf = async (member: Actor) =>
  (await member.call(listFriends, { query: {} })).map(({ username }) => username)
/** Returns the usernames of those whose requests a member has not answered. */
export const requesterNamesOf = async (member: Actor) =>
  (await member.call(listFriendRequests, { query: {} })).map(({ username }) => username)
export const noFriendship = { status: 'none', is_sender: false, request_id: null }

/** Sends a friend request and returns its id. */
export async function newRequest(sender: Actor, receiver: Actor): Promise<number> {
  const { request_id } = await sender.call(requestFriend, { body: { friend_id: receiver.id } })
  return request_id ?? 0
}
