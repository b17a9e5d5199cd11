import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { invitationLinkQuery } from '#web/features/invitations/invitation-link.ts'
import { InviteScreen } from '#web/features/invitations/invite-screen.tsx'
import { parseInviteOrigin } from '#web/features/invitations/invite-search.ts'
import { membersOnly } from './-guards.ts'
import { ssrForMember } from './-ssr.ts'

export const Route = createFileRoute('/invite-your-friends')({
  ssr: ssrForMember,
  validateSearch: parseInviteOrigin,
  beforeLoad: membersOnly,
  loader: ({ context }) => void context.queryClient.prefetchQuery(invitationLinkQuery),
  staticData: { title: msg`Invite your friends` },
  component: InviteScreen,
})
