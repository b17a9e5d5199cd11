import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { call, callPage } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'

const all = ['friends'] as const

/** The member's friends by username, page by page; with words, those whose username holds them. */
export function friendPagesQuery(q: string | undefined) {
  return infiniteListOptions(
    [...all, 'pages', q ?? null],
    (client, cursor, signal) => callPage(client, listFriends, { query: { q, cursor } }, { signal }),
    { placeholderData: keepPreviousData },
  )
}

/** The friend requests to the member, newest first. */
export const friendRequestsQuery = infiniteListOptions([...all, 'requests'], (client, cursor, signal) =>
  callPage(client, listFriendRequests, { query: { cursor } }, { signal }),
)

/** How the member stands with another. */
export function friendStatusQuery(id: number) {
  return queryOptions({
    queryKey: [...all, 'status', id],
    queryFn: ({ client, signal }) => call(client, getFriendStatus, { params: { id } }, { signal }),
  })
}

/** Friends see more of each other than others do, so all that is shown of the two is asked for anew. */
export async function invalidateFriends(client: QueryClient) {
  await Promise.all(
    [all, ['members'], ['profile'], ['listings']].map((queryKey) => client.invalidateQueries({ queryKey })),
  )
}

/** Invalidates whatever the outcome: after a refusal, too, the cached status is no longer right. */
async function thenInvalidate<Result>(client: QueryClient, work: Promise<Result>): Promise<Result> {
  return work.finally(() => invalidateFriends(client))
}

export function askToBeFriends(client: QueryClient, id: number) {
  return thenInvalidate(client, call(client, requestFriend, { body: { friend_id: id } }))
}

/** Ends the friendship, or withdraws the request. */
export function partFrom(client: QueryClient, id: number) {
  return thenInvalidate(client, call(client, removeFriend, { params: { id } }))
}

export function answerRequest(client: QueryClient, request_id: number, accept: boolean) {
  return thenInvalidate(client, call(client, respondToFriend, { body: { request_id, accept } }))
}
