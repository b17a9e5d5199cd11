import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { redirectTarget } from '#web/features/auth/redirect-target.ts'
import { ssrForMember } from '#web/features/auth/ssr.ts'
import { PersonalInfoScreen } from '#web/features/profile/personal-info-screen.tsx'
import { profileQuery } from '#web/features/profile/profile-query.ts'

export const Route = createFileRoute('/personal-info')({
  ssr: ssrForMember,
  validateSearch: redirectTarget,
  beforeLoad: membersOnly,
  // The form starts with the known location of the member.
  loader: ({ context }) => void context.queryClient.prefetchQuery(profileQuery),
  staticData: { title: 'Personal info' },
  component: PersonalInfoScreen,
})
