import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { briefMember, id, longPageFields, moment, searchedUsername } from './fields.ts'
import { memberMessages, oneMember } from './members.ts'
import { msg } from './message.ts'

export const friendMessages = {
  requestNotFound: msg('Friend request not found'),
  notFriends: msg('There is no friendship or request to end'),
  self: msg('You can not befriend yourself'),
  friendsAlready: msg('You are friends already'),
  notPossible: msg('You can not send a friend request to this member'),
  tooManyFriends: msg('You can have at most {max, number} friends', { max: limits.friends.max }),
  theyHaveTooMany: msg('This member has as many friends as one can have'),
  tooManyRequests: msg('You can send at most {max} friend requests a day. Please try again tomorrow.', {
    max: limits.friends.requestsPerDay,
  }),
} as const

export const friend = z.extend(briefMember, {
  city: z.nullable(z.string()),
  state: z.nullable(z.string()),
})
export type Friend = z.output<typeof friend>

/** `id` is the id of the request, `user_id` that of its sender. */
export const friendRequest = z.extend(briefMember, {
  user_id: z.int(),
  created_at: moment,
})
export type FriendRequest = z.output<typeof friendRequest>

/** The caller's friendship status with another member. `request_id` is null unless a request is pending. */
export const friendStatus = z.object({
  status: z.enum(['none', 'pending', 'accepted', 'rejected']),
  is_sender: z.boolean(),
  request_id: z.nullable(z.int()),
})
export type FriendStatus = z.output<typeof friendStatus>

export const listFriends = endpoint({
  method: 'GET',
  path: '/auth/friends',
  summary: "List the caller's friends by username",
  auth: 'member',
  query: z.object({
    q: z.optional(searchedUsername(0)),
    ...longPageFields,
  }),
  response: { 200: z.array(friend) },
})

export const listFriendRequests = endpoint({
  method: 'GET',
  path: '/auth/friends/requests',
  summary: 'List the pending friend requests to the caller, newest first',
  auth: 'member',
  query: z.object(longPageFields),
  response: { 200: z.array(friendRequest) },
})

export const requestFriend = endpoint({
  method: 'POST',
  path: '/auth/friends/request',
  summary: 'Send a friend request; accepts a pending request of the same member instead',
  auth: 'member',
  body: z.object({ friend_id: id }),
  notFound: memberMessages.notFound,
  response: { 201: friendStatus, 200: friendStatus },
})

export const respondToFriend = endpoint({
  method: 'POST',
  path: '/auth/friends/respond',
  summary: 'Accept or decline a friend request',
  auth: 'member',
  body: z.object({ request_id: id, accept: z.boolean(msg('Please accept or decline the request')) }),
  response: { 200: friendStatus },
})

export const getFriendStatus = endpoint({
  ...oneMember,
  method: 'GET',
  path: '/auth/friends/status/{id}',
  summary: 'Get the friendship status with a member',
  response: { 200: friendStatus },
})

export const removeFriend = endpoint({
  method: 'DELETE',
  path: '/auth/friends/{id}',
  summary: 'End a friendship or withdraw a friend request, by the id of the other member',
  auth: 'member',
  params: z.object({ id }),
  notFound: friendMessages.notFriends,
  response: { 204: 'nothing' },
})
