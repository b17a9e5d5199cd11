import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { LoginScreen } from '#web/features/auth/login-screen.tsx'
import { parseRedirectTarget } from '#web/features/auth/redirect-target.ts'
import { guestsOnly } from './-guards.ts'
import { ssrForGuest } from './-ssr.ts'

export const Route = createFileRoute('/login')({
  ssr: ssrForGuest,
  validateSearch: parseRedirectTarget,
  beforeLoad: guestsOnly,
  staticData: { title: msg`Login` },
  component: LoginScreen,
})
