import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { AuditLogScreen } from '#web/features/desk/audit-log-screen.tsx'
import { parseAuditSearch } from '#web/features/desk/audit-search.ts'
import { prefetchAuditLog } from '#web/features/desk/desk-queries.ts'

export const Route = createFileRoute('/_members/desk/audit-log')({
  validateSearch: parseAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchAuditLog(context.queryClient, deps),
  staticData: { title: msg`Audit log` },
  component: AuditLogScreen,
})
