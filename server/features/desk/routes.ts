import { addBan, liftBan, listBans } from '#contract/bans.ts'
import { grantRole, listAuditLog, listDeskMembers, revokeRole } from '#contract/desk.ts'
import type { Deps } from '#server/deps.ts'
import { requireCurrentPassword } from '#server/features/auth/credentials.ts'
import { accountLimits } from '#server/features/auth/limits.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { pageOfAuditLog } from './audit.ts'
import { addBanBy, bansOfSite, liftBanBy } from './bans.ts'
import { deskMembers, giveRole, takeRole } from './roles.ts'

export function deskRoutes(app: App, { db, limits, trustedProxies }: Deps) {
  const { login: tries } = accountLimits(limits)
  route(app, listAuditLog, ({ query }) => pageOfAuditLog(db, query))
  route(app, listBans, () => bansOfSite(db))
  route(app, addBan, ({ member, body }) => addBanBy({ db, trustedProxies }, member.id, body))
  route(app, liftBan, ({ member, params, body }) => liftBanBy(db, member.id, params.id, body.reason))
  route(app, listDeskMembers, () => deskMembers(db))
  route(app, grantRole, async ({ member, body: { current_password: password, ...grant }, address }) => {
    const prove = await requireCurrentPassword({ db, tries }, member, { password, address })
    return giveRole(db, member.id, grant, prove)
  })
  route(app, revokeRole, async ({ member, params, body: { current_password: password }, address }) => {
    const prove = await requireCurrentPassword({ db, tries }, member, { password, address })
    await takeRole(db, member.id, params.id, prove)
  })
}
