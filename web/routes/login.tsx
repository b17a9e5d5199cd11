import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { LoginScreen } from '#web/features/auth/login-screen.tsx'
import { ssrForGuest } from '#web/features/auth/ssr.ts'
import { wantedPlace } from '#web/features/auth/wanted-place.ts'

export const Route = createFileRoute('/login')({
  ssr: ssrForGuest,
  validateSearch: wantedPlace,
  beforeLoad: guestsOnly,
  staticData: { title: 'Login' },
  component: LoginScreen,
})
