import { createFileRoute } from '@tanstack/react-router'
import { parseRedirectTarget } from '#web/features/auth/redirect-target.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { PersonalInfoScreen } from '#web/features/profile/personal-info-screen.tsx'
import { membersOnly } from './-guards.ts'
import { ssrForMember } from './-ssr.ts'

export const Route = createFileRoute('/personal-info')({
  ssr: ssrForMember,
  validateSearch: parseRedirectTarget,
  beforeLoad: membersOnly,
  // The form starts with the known location of the member.
  loader: ({ context }) => void context.queryClient.prefetchQuery(profileQuery),
  staticData: { title: 'Personal info' },
  component: PersonalInfoScreen,
})
