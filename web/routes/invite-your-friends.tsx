import { createFileRoute } from '@tanstack/react-router'
import { membersOnly } from '#web/features/auth/guards.ts'
import { ssrForMember } from '#web/features/auth/ssr.ts'
import { invitationLinkQuery } from '#web/features/invitations/invitation-link.ts'
import { InviteScreen } from '#web/features/invitations/invite-screen.tsx'

export const Route = createFileRoute('/invite-your-friends')({
  ssr: ssrForMember,
  beforeLoad: membersOnly,
  loader: ({ context }) => void context.queryClient.prefetchQuery(invitationLinkQuery),
  staticData: { title: 'Invite your friends' },
  component: InviteScreen,
})
