import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { friendPagesQuery, friendRequestsQuery } from '#web/features/friends/friend-queries.ts'
import { FriendsScreen } from '#web/features/friends/friends-screen.tsx'
import { parseFriendsSearch } from '#web/features/friends/friends-search.ts'
import { invitationLinkQuery } from '#web/features/invitations/invitation-link.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'

export const Route = createFileRoute('/_members/myfriends')({
  validateSearch: parseFriendsSearch,
  loader: ({ context }) => {
    // Not awaited: each part of the screen shows its own errors.
    void context.queryClient.prefetchQuery(profileQuery)
    void context.queryClient.prefetchQuery(invitationLinkQuery)
    void context.queryClient.prefetchInfiniteQuery(friendRequestsQuery)
    return prefetchList(context.queryClient, friendPagesQuery(undefined))
  },
  staticData: { title: msg`My friends` },
  component: FriendsScreen,
})
