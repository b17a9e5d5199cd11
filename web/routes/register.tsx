import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'
import { wantedPlace } from '#web/features/auth/wanted-place.ts'

export const Route = createFileRoute('/register')({
  validateSearch: wantedPlace,
  beforeLoad: guestsOnly,
  head: () => ({ meta: [{ title: 'Register' }] }),
  component: RegisterScreen,
})
