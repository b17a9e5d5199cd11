import { report } from '#contract/reports.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { takeReport } from './report.ts'

const perDay = { attempts: 20, seconds: 24 * 60 * 60 }

export function reportRoutes(app: App, { db, jobs, limits }: Deps) {
  const limit = limits('reports', perDay)
  route(app, report, async ({ member, body }) => {
    await limit.attempt(String(member.id))
    return takeReport({ db, jobs }, member.id, body)
  })
}
