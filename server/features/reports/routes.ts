import { limits } from '#contract/constants.ts'
import {
  listReportCases,
  releaseReportCase,
  resolveReportCase,
  takeReportCase,
  undoAction,
} from '#contract/report-cases.ts'
import { report, reportMessages } from '#contract/reports.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { pageOfCases, releaseCase, resolveCase, takeCase } from './cases.ts'
import { createReport } from './reports.ts'
import { undo } from './undo.ts'

export function reportRoutes(app: App, deps: Deps) {
  const { db, jobs, limits: rateLimits } = deps
  const perDay = rateLimits('reports', {
    attempts: limits.reportsPerDay,
    limited: reportMessages.tooMany,
  })
  route(app, report, async ({ member, body }) => {
    await perDay.attempt(String(member.id))
    return createReport({ db, jobs }, member.id, body)
  })
  route(app, listReportCases, ({ query }) => pageOfCases(db, query))
  route(app, takeReportCase, ({ member, params }) => takeCase(db, member.id, params.id))
  route(app, releaseReportCase, ({ member, params }) => releaseCase(db, member.id, params.id))
  route(app, resolveReportCase, ({ member, params, body }) => resolveCase(deps, member.id, params.id, body))
  route(app, undoAction, ({ member, params, body }) => undo(deps, member.id, params.id, body.reason))
}
