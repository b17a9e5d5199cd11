import { createFileRoute } from '@tanstack/react-router'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import { ProfileLoading, ProfileNotLoaded, ProfileScreen } from '#web/features/profile/profile-screen.tsx'

export const Route = createFileRoute('/_members/profile')({
  loader: ({ context }) => context.queryClient.ensureQueryData(profileQuery),
  staticData: { title: 'My profile' },
  component: ProfileScreen,
  pendingComponent: ProfileLoading,
  errorComponent: ProfileNotLoaded,
})
