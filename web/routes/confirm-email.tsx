import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailScreen } from '#web/features/auth/confirm-email-screen.tsx'
import { mailedToken } from '#web/features/auth/mailed-token.ts'

export const Route = createFileRoute('/confirm-email')({
  validateSearch: mailedToken,
  head: () => ({ meta: [{ title: 'Confirm your address' }] }),
  component: ConfirmEmailScreen,
})
