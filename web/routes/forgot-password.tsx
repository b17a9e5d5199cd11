import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#web/features/auth/forgot-password-screen.tsx'
import { guestsOnly } from '#web/features/auth/guards.ts'

export const Route = createFileRoute('/forgot-password')({
  beforeLoad: guestsOnly,
  head: () => ({ meta: [{ title: 'Forgot password' }] }),
  component: ForgotPasswordScreen,
})
