import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { NotMyAccountScreen } from '#web/features/auth/not-my-account-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/not-my-account')({
  ssr: ssrForAnyone,
  validateSearch: parseMailedToken,
  staticData: { title: msg`This wasn’t me` },
  component: NotMyAccountScreen,
})
