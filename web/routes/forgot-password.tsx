import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from '#web/features/auth/forgot-password-screen.tsx'
import { guestsOnly } from './-guards.ts'
import { ssrForGuest } from './-ssr.ts'

export const Route = createFileRoute('/forgot-password')({
  ssr: ssrForGuest,
  beforeLoad: guestsOnly,
  staticData: { title: msg`Forgot password` },
  component: ForgotPasswordScreen,
})
