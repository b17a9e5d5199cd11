import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { ResetPasswordScreen } from '#web/features/auth/reset-password-screen.tsx'
import { guestsOnly } from './-guards.ts'
import { ssrForGuest } from './-ssr.ts'

export const Route = createFileRoute('/reset-password')({
  ssr: ssrForGuest,
  validateSearch: parseMailedToken,
  beforeLoad: guestsOnly,
  staticData: { title: msg`New password` },
  component: ResetPasswordScreen,
})
