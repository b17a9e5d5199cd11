import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { mailedToken } from '#web/features/auth/mailed-token.ts'
import { ResetPasswordScreen } from '#web/features/auth/reset-password-screen.tsx'

export const Route = createFileRoute('/reset-password')({
  validateSearch: mailedToken,
  beforeLoad: guestsOnly,
  head: () => ({ meta: [{ title: 'New password' }] }),
  component: ResetPasswordScreen,
})
