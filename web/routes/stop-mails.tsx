import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseMailedToken } from '#web/features/auth/mailed-token.ts'
import { StopMailsScreen } from '#web/features/auth/stop-mails-screen.tsx'
import { ssrForAnyone } from './-ssr.ts'

export const Route = createFileRoute('/stop-mails')({
  ssr: ssrForAnyone,
  validateSearch: parseMailedToken,
  staticData: { title: msg`No more such mails` },
  component: StopMailsScreen,
})
