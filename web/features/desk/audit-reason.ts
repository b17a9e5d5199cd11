import { plural } from '@lingui/core/macro'
import type { AuditEntry } from '#contract/desk.ts'
import { deskRoles } from '#contract/desk-roles.ts'
import { siteSettingNames } from '#contract/site-settings.ts'
import { formatList } from '#web/i18n/formats.ts'
import { textOf } from '#web/i18n/i18n.ts'
import { roleTexts } from './desk-texts.ts'
import { settingLabel } from './setting-label.ts'

/** Returns the reason of an action, or what was changed: the log has that as names and numbers. */
export function auditReason({ action, reason }: AuditEntry): string | null {
  if (reason === null || action === 'site_restored') return null
  if (action === 'role_granted') {
    const role = deskRoles.find((known) => known === reason)
    return role === undefined ? reason : textOf(roleTexts[role])
  }
  if (action === 'swap_day_opened')
    return plural({ count: Number(reason) }, { one: '# hour', other: '# hours' })
  if (action !== 'site_saved') return reason
  const changed = reason.split(', ')
  return formatList(siteSettingNames.filter((name) => changed.includes(name)).map(settingLabel)) || reason
}
