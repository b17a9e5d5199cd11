import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listAuditLog } from '#contract/desk.ts'
import { listReportCases } from '#contract/report-cases.ts'
import { listAppeals } from '#contract/suspensions.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'

const deskKey = ['desk'] as const

export const reportCasesQuery = (state: 'open' | 'closed') =>
  infiniteListOptions([...deskKey, 'reports', state], listReportCases, { query: { state } })

export const auditLogQuery = infiniteListOptions([...deskKey, 'audit-log'], listAuditLog, { query: {} })

export const appealsQuery = queryOptions(endpointQuery([...deskKey, 'appeals'], listAppeals, {}))

/** Refetches all that the desk shows, after an action or a conflict with another moderator. */
export function refreshDesk(client: QueryClient) {
  return client.invalidateQueries({ queryKey: deskKey })
}
