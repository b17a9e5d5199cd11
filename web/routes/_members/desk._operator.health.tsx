import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchHealth } from '#web/features/desk/desk-queries.ts'
import { HealthScreen } from '#web/features/desk/health-screen.tsx'

export const Route = createFileRoute('/_members/desk/_operator/health')({
  loader: ({ context }) => prefetchHealth(context.queryClient),
  staticData: { title: msg`Health` },
  component: HealthScreen,
})
