import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getFriendStatus,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  respondToFriend,
} from '#contract/friends.ts'
import { call, callPage } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'

const all = ['friends'] as const
const firstPage = ''
const asCursor = (pageParam: string) => (pageParam === firstPage ? undefined : pageParam)

/** The member's friends by username, page by page; with words, those whose username holds them. */
export function friendPagesQuery(q: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...all, 'pages', q ?? null],
    queryFn: ({ pageParam, signal }) =>
      callPage(listFriends, { query: { q, cursor: asCursor(pageParam) } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

/** Who waits for the member's answer, newest first, page by page. */
export const friendRequestsQuery = infiniteQueryOptions({
  queryKey: [...all, 'requests'],
  queryFn: ({ pageParam, signal }) =>
    callPage(listFriendRequests, { query: { cursor: asCursor(pageParam) } }, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: ({ next }) => next,
})

/** How the member stands with another. */
export function friendStatusQuery(id: number) {
  return queryOptions({
    queryKey: [...all, 'status', id],
    queryFn: ({ signal }) => call(getFriendStatus, { params: { id } }, { signal }),
  })
}

/** Friends see more of each other than others do, so all that is shown of the two is asked for anew. */
export async function renewFriends() {
  await Promise.all(
    [all, ['members'], ['profile'], ['listings']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

/** Whatever came of it, also a refusal: what is shown is then no longer so. */
async function thenRenew<Result>(work: Promise<Result>): Promise<Result> {
  return work.finally(renewFriends)
}

export function askToBeFriends(id: number) {
  return thenRenew(call(requestFriend, { body: { friend_id: id } }))
}

/** Ends the friendship, or withdraws the request. */
export function partFrom(id: number) {
  return thenRenew(call(removeFriend, { params: { id } }))
}

export function answerRequest(request_id: number, accept: boolean) {
  return thenRenew(call(respondToFriend, { body: { request_id, accept } }))
}
