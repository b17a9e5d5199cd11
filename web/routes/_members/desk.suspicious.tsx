import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchSuspicious } from '#web/features/desk/desk-queries.ts'
import { SuspiciousScreen } from '#web/features/desk/suspicious-screen.tsx'

export const Route = createFileRoute('/_members/desk/suspicious')({
  loader: ({ context }) => prefetchSuspicious(context.queryClient),
  staticData: { title: msg`Suspicious` },
  component: SuspiciousScreen,
})
