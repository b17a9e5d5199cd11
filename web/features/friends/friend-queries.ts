import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { listingsKey } from '#web/features/listings/listing-key.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { membersKey } from '#web/features/members/public-member-key.ts'

const friendsKey = ['friends'] as const

/** Defines the query of the member's friends by username. With `q`, only those whose username contains it. */
export function friendPagesQuery(q: string | undefined) {
  return infiniteListOptions(
    [...friendsKey, 'pages', q ?? null],
    listFriends,
    { query: { q } },
    { placeholderData: keepPreviousData },
  )
}

/** The query of the friend requests to the member, newest first. */
export const friendRequestsQuery = infiniteListOptions([...friendsKey, 'requests'], listFriendRequests, {
  query: {},
})

/** Defines the query of the friendship status with another member. */
export function friendStatusQuery(id: number) {
  return endpointQuery([...friendsKey, 'status', id], getFriendStatus, { params: { id } })
}

/** Invalidates friends, members, the profile and listings, because friends see more of each other. */
export async function invalidateFriends(client: QueryClient) {
  await Promise.all(
    [friendsKey, membersKey, profileQuery.queryKey, listingsKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )
}

/** Waits for a call, and invalidates also after a failure: a refusal means that the cached status is outdated. */
async function thenInvalidate<Result>(client: QueryClient, work: Promise<Result>): Promise<Result> {
  return work.finally(() => invalidateFriends(client))
}

export function sendFriendRequest(client: QueryClient, id: number) {
  return thenInvalidate(client, call(client, requestFriend, { body: { friend_id: id } }))
}

/** Ends the friendship, or cancels the friend request. */
export function endFriendship(client: QueryClient, id: number) {
  return thenInvalidate(client, call(client, removeFriend, { params: { id } }))
}

export function answerRequest(client: QueryClient, request_id: number, accept: boolean) {
  return thenInvalidate(client, call(client, respondToFriend, { body: { request_id, accept } }))
}
