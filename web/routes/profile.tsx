import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import { ProfileLoading, ProfileNotLoaded, ProfileScreen } from '#web/features/profile/profile-screen.tsx'

export const Route = createFileRoute('/profile')({
  beforeLoad: membersOnly,
  loader: ({ context }) => context.queryClient.ensureQueryData(profileQuery),
  head: () => ({ meta: [{ title: 'My profile' }] }),
  component: ProfileScreen,
  pendingComponent: ProfileLoading,
  errorComponent: ProfileNotLoaded,
})
