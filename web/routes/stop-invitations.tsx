import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { StopInvitationsScreen } from '#web/features/invitations/stop-invitations-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/stop-invitations')({
  ssr: ssrForAnyone,
  validateSearch: parseMailedToken,
  staticData: { title: msg`No more invitations` },
  component: StopInvitationsScreen,
})
