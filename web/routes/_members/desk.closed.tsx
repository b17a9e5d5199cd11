import { createFileRoute } from '@tanstack/react-router'
import { ReportsScreen } from '#web/features/desk/reports-screen.tsx'

export const Route = createFileRoute('/_members/desk/closed')({
  component: () => <ReportsScreen key="closed" state="closed" />,
})
