import { createFileRoute } from '@tanstack/react-router'
import { InvitationScreen } from '#web/features/invitations/invitation-screen.tsx'

export const Route = createFileRoute('/_members/friend-invi')({
  head: () => ({ meta: [{ title: 'Friend invitation · Rhubarb' }] }),
  component: InvitationScreen,
})
