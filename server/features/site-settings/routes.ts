import {
  getSiteSettings,
  listSettingsVersions,
  openSwapDay,
  restoreSettings,
  saveSiteLogo,
  saveSiteSettings,
} from '#contract/site-settings.ts'
import type { Deps } from '#server/deps.ts'
import { type App, route } from '#server/platform/http/route.ts'
import {
  currentSettings,
  pageOfVersions,
  restoreVersion,
  saveLogo,
  saveSettings,
  startSwapDay,
} from './saving.ts'

export function siteSettingsRoutes(app: App, deps: Deps) {
  route(app, getSiteSettings, () => currentSettings(deps))
  route(app, saveSiteSettings, ({ member, body }) => saveSettings(deps, member.id, body))
  route(app, saveSiteLogo, ({ member, body, file }) =>
    saveLogo(deps, member.id, { version: body.version, file }),
  )
  route(app, listSettingsVersions, ({ query }) => pageOfVersions(deps, query))
  route(app, restoreSettings, ({ member, body }) => restoreVersion(deps, member.id, body))
  route(app, openSwapDay, async ({ member, body }) => {
    await startSwapDay(deps, member.id, body.hours)
    return currentSettings(deps)
  })
}
