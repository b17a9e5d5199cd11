import { createFileRoute } from '@tanstack/react-router'
import { guestsOnly } from '#web/features/auth/guards.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'

export const Route = createFileRoute('/register')({
  beforeLoad: guestsOnly,
  head: () => ({ meta: [{ title: 'Register' }] }),
  component: RegisterScreen,
})
