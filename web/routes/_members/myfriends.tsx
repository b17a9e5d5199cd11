import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { friendPagesQuery, friendRequestsQuery } from '#web/features/friends/friend-queries.ts'
import { friendsAddress } from '#web/features/friends/friends-address.ts'
import { FriendsScreen } from '#web/features/friends/friends-screen.tsx'
import { profileQuery } from '#web/features/profile/profile-query.ts'

export const Route = createFileRoute('/_members/myfriends')({
  validateSearch: friendsAddress,
  loader: () => {
    // Each part of the screen says itself what could not be loaded.
    void queryClient.prefetchQuery(profileQuery)
    void queryClient.prefetchInfiniteQuery(friendRequestsQuery)
    void queryClient.prefetchInfiniteQuery(friendPagesQuery(undefined))
  },
  head: () => ({ meta: [{ title: 'My friends' }] }),
  component: FriendsScreen,
})
