import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailScreen } from '#web/features/auth/confirm-email-screen.tsx'
import { mailedToken } from '#web/features/auth/mailed-token.ts'
import { ssrForAnyone } from '#web/features/auth/ssr.ts'

export const Route = createFileRoute('/confirm-email')({
  ssr: ssrForAnyone,
  validateSearch: mailedToken,
  head: () => ({ meta: [{ title: 'Confirm your address · Rhubarb' }] }),
  component: ConfirmEmailScreen,
})
