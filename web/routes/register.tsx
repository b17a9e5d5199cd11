import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { redirectTarget } from '#web/features/auth/redirect-target.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'
import { ssrForGuest } from '#web/features/auth/ssr.ts'

export const Route = createFileRoute('/register')({
  ssr: ssrForGuest,
  validateSearch: redirectTarget,
  beforeLoad: guestsOnly,
  staticData: { title: 'Register' },
  component: RegisterScreen,
})
