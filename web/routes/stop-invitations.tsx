import { createFileRoute } from '@tanstack/react-router'
import { mailedToken } from '#web/features/auth/mailed-token.ts'
import { StopInvitationsScreen } from '#web/features/invitations/stop-invitations-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/stop-invitations')({
  ssr: ssrForAnyone,
  validateSearch: mailedToken,
  staticData: { title: 'No more invitations' },
  component: StopInvitationsScreen,
})
