import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'
import { ssrForGuest } from '#web/features/auth/ssr.ts'
import { wantedPlace } from '#web/features/auth/wanted-place.ts'

export const Route = createFileRoute('/register')({
  ssr: ssrForGuest,
  validateSearch: wantedPlace,
  beforeLoad: guestsOnly,
  staticData: { title: 'Register' },
  component: RegisterScreen,
})
