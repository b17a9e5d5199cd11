import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchReports } from '#web/features/desk/desk-queries.ts'
import { ReportsScreen } from '#web/features/desk/reports-screen.tsx'

export const Route = createFileRoute('/_members/desk/')({
  loader: ({ context }) => prefetchReports(context.queryClient, 'open'),
  staticData: { title: msg`Reports` },
  component: () => <ReportsScreen key="open" state="open" />,
})
