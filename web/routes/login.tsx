import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { LoginScreen } from '#web/features/auth/login-screen.tsx'
import { redirectTarget } from '#web/features/auth/redirect-target.ts'
import { ssrForGuest } from '#web/features/auth/ssr.ts'

export const Route = createFileRoute('/login')({
  ssr: ssrForGuest,
  validateSearch: redirectTarget,
  beforeLoad: guestsOnly,
  staticData: { title: 'Login' },
  component: LoginScreen,
})
