import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailScreen } from '#web/features/auth/confirm-email-screen.tsx'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/confirm-email')({
  ssr: ssrForAnyone,
  validateSearch: parseMailedToken,
  staticData: { title: msg`Confirm your address` },
  component: ConfirmEmailScreen,
})
