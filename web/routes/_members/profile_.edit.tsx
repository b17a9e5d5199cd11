import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { blocksQuery } from '#web/features/members/blocks.ts'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { EditProfileLoading, EditProfileScreen } from '#web/features/profile/edit-profile-screen.tsx'
import { ProfileNotLoaded } from '#web/features/profile/profile-screen.tsx'

export const Route = createFileRoute('/_members/profile_/edit')({
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(preferencesQuery)
    void context.queryClient.prefetchQuery(blocksQuery)
    // Not `ensureQueryData`: the form must not start from a stale profile.
    await context.queryClient.fetchQuery(profileQuery)
  },
  staticData: { title: msg`Edit my profile` },
  component: EditProfileScreen,
  pendingComponent: EditProfileLoading,
  errorComponent: ProfileNotLoaded,
})
