import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { ssrForMember } from '#web/features/auth/ssr.ts'
import { wantedPlace } from '#web/features/auth/wanted-place.ts'
import { PersonalInfoScreen } from '#web/features/profile/personal-info-screen.tsx'
import { profileQuery } from '#web/features/profile/profile-query.ts'

export const Route = createFileRoute('/personal-info')({
  ssr: ssrForMember,
  validateSearch: wantedPlace,
  beforeLoad: membersOnly,
  // The form starts with what is known of the member's place.
  loader: ({ context }) => void context.queryClient.prefetchQuery(profileQuery),
  staticData: { title: 'Personal info' },
  component: PersonalInfoScreen,
})
