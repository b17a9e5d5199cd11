import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { ProfileLoading, ProfileNotLoaded, ProfileScreen } from '#web/features/profile/profile-screen.tsx'
import { thanksQuery } from '#web/features/trades/trade-queries.ts'

export const Route = createFileRoute('/_members/profile')({
  loader: ({ context: { queryClient, login } }) => {
    const me = login.get()?.user.id
    if (me !== undefined) {
      void queryClient.prefetchQuery(publicMemberQuery(me))
      void queryClient.prefetchInfiniteQuery(thanksQuery(me))
    }
    return queryClient.ensureQueryData(profileQuery)
  },
  staticData: { title: msg`My profile` },
  component: ProfileScreen,
  pendingComponent: ProfileLoading,
  errorComponent: ProfileNotLoaded,
})
