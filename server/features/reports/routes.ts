import { limits } from '#contract/constants.ts'
import { actOnListings, listDeskListings } from '#contract/desk-listings.ts'
import { actOnMember, deleteDeskMember, getDeskMember, searchDeskMembers } from '#contract/desk-members.ts'
import { getSuspicious } from '#contract/desk-suspicious.ts'
import {
  listReportCases,
  releaseReportCase,
  resolveReportCase,
  takeReportCase,
  undoAction,
} from '#contract/report-cases.ts'
import { report, reportMessages } from '#contract/reports.ts'
import { appealSuspension, getSuspension, listAppeals } from '#contract/suspensions.ts'
import type { Deps } from '#server/deps.ts'
import { requireCurrentPassword } from '#server/features/auth/credentials.ts'
import { accountLimits } from '#server/features/auth/limits.ts'
import { appeal, newestAppeals, tellSuspension } from '#server/features/auth/suspensions.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { pageOfCases, releaseCase, resolveCase, takeCase } from './cases.ts'
import { changeListings, pageOfDeskListings } from './desk-listings.ts'
import { describeDeskMember, pageOfDeskMembers } from './desk-members.ts'
import { findSuspicious } from './desk-suspicious.ts'
import { actOn, deleteByDesk } from './member-actions.ts'
import { tellDesk } from './notices.ts'
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
  route(app, listReportCases, ({ member, query }) => pageOfCases(db, member.id, query))
  route(app, takeReportCase, ({ member, params }) => takeCase(db, member.id, params.id))
  route(app, releaseReportCase, ({ member, params }) => releaseCase(db, member.id, params.id))
  route(app, resolveReportCase, ({ member, params, body }) => resolveCase(deps, member, params.id, body))
  const { login: tries } = accountLimits(rateLimits)
  route(app, getSuspension, ({ body, address }) => tellSuspension({ db, tries }, body, address))
  route(app, appealSuspension, ({ body, address }) =>
    appeal({ db, tries }, body, address, (tx) => tellDesk(deps, tx, 'appealed')),
  )
  route(app, listAppeals, () => newestAppeals(db))
  route(app, listDeskListings, ({ query }) => pageOfDeskListings(db, query))
  route(app, actOnListings, ({ member, body }) => changeListings(deps, member.id, body))
  route(app, getSuspicious, () => findSuspicious(db))
  route(app, searchDeskMembers, ({ query }) => pageOfDeskMembers(db, query))
  route(app, getDeskMember, ({ member, params }) => describeDeskMember(db, member.id, params.id))
  route(app, actOnMember, ({ member, params, body }) => actOn(deps, member, params.id, body))
  route(
    app,
    deleteDeskMember,
    async ({ member, params, body: { reason, current_password: password }, address }) => {
      const prove = await requireCurrentPassword({ db, tries }, member, { password, address })
      await deleteByDesk(deps, member, params.id, { reason, prove })
    },
  )
  route(app, undoAction, ({ member, params, body }) => undo(deps, member, params.id, body.reason))
}
