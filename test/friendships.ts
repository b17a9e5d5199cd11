import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import type { Actor } from './actor.ts'

export const ask = (one: Actor, other: Actor) => one.try(requestFriend, { body: { friend_id: other.id } })
export const respond = (one: Actor, request_id: number | null, accept: boolean) =>
  one.try(respondToFriend, { body: { request_id: request_id ?? 0, accept } })
export const unfriend = (one: Actor, other: Actor) => one.try(removeFriend, { params: { id: other.id } })
export const statusOf = (one: Actor, other: Actor) => one.call(getFriendStatus, { params: { id: other.id } })
export const names = async (one: Actor) =>
  (await one.call(listFriends, { query: {} })).map(({ username }) => username)
export const requestsTo = async (one: Actor) =>
  (await one.call(listFriendRequests, { query: {} })).map(({ username }) => username)
export const noFriendship = { status: 'none', is_sender: false, request_id: null }

/** Sends a friend request and returns its id. */
export async function newRequest(one: Actor, other: Actor): Promise<number> {
  const { request_id } = await one.call(requestFriend, { body: { friend_id: other.id } })
  return request_id ?? 0
}
