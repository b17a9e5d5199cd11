import { createFileRoute } from '@tanstack/react-router'
import { mailedToken } from '#web/features/auth/mailed-token.ts'
import { StopInvitationsScreen } from '#web/features/invitations/stop-invitations-screen.tsx'

export const Route = createFileRoute('/stop-invitations')({
  validateSearch: mailedToken,
  head: () => ({ meta: [{ title: 'No more invitations' }] }),
  component: StopInvitationsScreen,
})
