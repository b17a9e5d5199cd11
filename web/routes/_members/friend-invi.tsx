import { createFileRoute } from '@tanstack/react-router'
import { invitationMailQuery } from '#web/features/invitations/invitation-mail-query.ts'
import { InvitationMailScreen } from '#web/features/invitations/invitation-mail-screen.tsx'

export const Route = createFileRoute('/_members/friend-invi')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(invitationMailQuery),
  staticData: { title: 'Friend invitation' },
  component: InvitationMailScreen,
})
