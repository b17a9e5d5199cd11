import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#web/features/auth/forgot-password-screen.tsx'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { ssrForGuest } from '#web/features/auth/ssr.ts'

export const Route = createFileRoute('/forgot-password')({
  ssr: ssrForGuest,
  beforeLoad: guestsOnly,
  staticData: { title: 'Forgot password' },
  component: ForgotPasswordScreen,
})
