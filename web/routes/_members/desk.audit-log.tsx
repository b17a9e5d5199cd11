import { createFileRoute } from '@tanstack/react-router'
import { AuditLogScreen } from '#web/features/desk/audit-log-screen.tsx'

export const Route = createFileRoute('/_members/desk/audit-log')({ component: AuditLogScreen })
