import { createFileRoute } from '@tanstack/react-router'
import { invitationQuery } from '#web/features/invitations/invitation-query.ts'
import { InvitationScreen } from '#web/features/invitations/invitation-screen.tsx'

export const Route = createFileRoute('/_members/friend-invi')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(invitationQuery),
  staticData: { title: 'Friend invitation' },
  component: InvitationScreen,
})
