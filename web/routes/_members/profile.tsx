import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { profileQuery } from '#web/features/profile/profile-query.ts'
import { ProfileLoading, ProfileNotLoaded, ProfileScreen } from '#web/features/profile/profile-screen.tsx'

export const Route = createFileRoute('/_members/profile')({
  loader: () => queryClient.ensureQueryData(profileQuery),
  head: () => ({ meta: [{ title: 'My profile' }] }),
  component: ProfileScreen,
  pendingComponent: ProfileLoading,
  errorComponent: ProfileNotLoaded,
})
