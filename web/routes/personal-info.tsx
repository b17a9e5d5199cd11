import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseRedirectTarget } from '#web/features/auth/redirect-target.ts'
import { friendRequestsQuery } from '#web/features/friends/friend-queries.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { PersonalInfoScreen } from '#web/features/profile/personal-info-screen.tsx'
import { membersOnly } from './-guards.ts'
import { ssrForMember } from './-ssr.ts'

export const Route = createFileRoute('/personal-info')({
  ssr: ssrForMember,
  validateSearch: parseRedirectTarget,
  beforeLoad: membersOnly,
  loader: ({ context }) => {
    // The form starts with the known location of the member.
    void context.queryClient.prefetchQuery(profileQuery)
    void context.queryClient.prefetchInfiniteQuery(friendRequestsQuery)
  },
  staticData: { title: msg`Personal info` },
  component: PersonalInfoScreen,
})
