import { checkSiteNow, getHealth } from '#contract/health.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import { siteHealth } from './health.ts'

export function siteCheckRoutes(app: App, deps: Deps) {
  const health = siteHealth(deps)
  route(app, getHealth, ({ member }) => health.now(member.id))
  route(app, checkSiteNow, ({ member }) => health.checks(member.id))
}
