import { limits } from '#contract/constants.ts'
import { report, reportMessages } from '#contract/reports.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { createReport } from './reports.ts'

const perDay = {
  attempts: limits.reportsPerDay,
  seconds: 24 * 60 * 60,
  limited: reportMessages.tooMany,
}

export function reportRoutes(app: App, { db, jobs, limits: rateLimits }: Deps) {
  const limit = rateLimits('reports', perDay)
  route(app, report, async ({ member, body }) => {
    await limit.attempt(String(member.id))
    return createReport({ db, jobs }, member.id, body)
  })
}
