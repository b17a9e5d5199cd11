import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseRedirectTarget } from '#web/features/auth/redirect-target.ts'
import { RegisterScreen } from '#web/features/auth/register-screen.tsx'
import { guestsOnly } from './-guards.ts'
import { ssrForGuest } from './-ssr.ts'

export const Route = createFileRoute('/register')({
  ssr: ssrForGuest,
  validateSearch: parseRedirectTarget,
  beforeLoad: guestsOnly,
  staticData: { title: msg`Register` },
  component: RegisterScreen,
})
