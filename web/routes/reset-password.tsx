import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { mailedToken } from '#web/features/auth/mailed-token.ts'
import { ResetPasswordScreen } from '#web/features/auth/reset-password-screen.tsx'
import { ssrForGuest } from '#web/features/auth/ssr.ts'

export const Route = createFileRoute('/reset-password')({
  ssr: ssrForGuest,
  validateSearch: mailedToken,
  beforeLoad: guestsOnly,
  staticData: { title: 'New password' },
  component: ResetPasswordScreen,
})
