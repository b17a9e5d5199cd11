import { limits } from '#contract/constants.ts'
import { report, reportMessages } from '#contract/reports.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { createReport } from './reports.ts'

export function reportRoutes(app: App, { db, jobs, limits: rateLimits }: Deps) {
  const perDay = rateLimits('reports', {
    attempts: limits.reportsPerDay,
    limited: reportMessages.tooMany,
  })
  route(app, report, async ({ member, body }) => {
    await perDay.attempt(String(member.id))
    return createReport({ db, jobs }, member.id, body)
  })
}
