import { isDeepStrictEqual } from 'node:util'
import {
  type CurrentSettings,
  type SavedSettings,
  type SettingsVersion,
  type SiteSetting,
  type SiteSettings,
  siteSettingMessages,
  siteSettingNames,
} from '#contract/site-settings.ts'
import type { Deps } from '#server/deps.ts'
import { openSwapDay, swapDayUntil } from '#server/features/auth/limits.ts'
import { type DeskActor, recordAction } from '#server/features/desk/audit.ts'
import { usernamesOf } from '#server/features/desk/roles.ts'
import { withImage } from '#server/features/images/store-image.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError, invalid } from '#server/platform/errors.ts'
import { decodeIdCursor, type Page, paginate } from '#server/platform/http/paging.ts'
import type { UploadedFile } from '#server/platform/http/upload.ts'
import type { Tx } from '#server/tables.ts'
import { logoOf } from './logo.ts'
import {
  findNewestVersion,
  findVersion,
  insertVersion,
  listVersions,
  lockSettings,
  type VersionRow,
} from './queries.ts'
import { settingsOf } from './site.ts'

type Settings = Readonly<Partial<Record<SiteSetting, unknown>>>

type SettingsDeps = Pick<Deps, 'db' | 'site' | 'limits'>

/** The history shows the start of long texts. */
const historyLength = 300

/** The audit log has the settings as its target. */
const target = ['site', 0] as const

/** Returns the settings that hold, with their version. */
export async function currentSettings({ db, site, limits }: SettingsDeps): Promise<CurrentSettings> {
  const newest = await findNewestVersion(db)
  return {
    version: newest?.version ?? 0,
    settings: settingsOf(newest, site.environment),
    swap_day_until: (await swapDayUntil(limits)) ?? null,
  }
}

/**
 * Saves settings and returns all. Throws `conflict` if somebody else has saved since the version that the operator has seen. A repeated call
 * stores nothing.
 */
export async function saveSettings(
  deps: SettingsDeps,
  actor: DeskActor,
  { version, ...saved }: SavedSettings,
): Promise<CurrentSettings> {
  await inTransaction(deps.db, (tx) => storeChanges(deps, tx, actor, { version, saved }))
  await deps.site.refresh()
  return currentSettings(deps)
}

/** Saves a picture as the logo. Throws `invalid` unless it fits the header of pages, and the errors of storing an image and of `saveSettings`. */
export async function saveLogo(
  deps: SettingsDeps & Pick<Deps, 'images'>,
  actor: number,
  { version, file }: { version: number; file: UploadedFile | undefined },
): Promise<CurrentSettings> {
  await withImage(deps, { memberId: actor, file, purpose: 'logo' }, async (tx, image) => {
    if (!image) throw invalid('image', siteSettingMessages.logoNeeded)
    await storeChanges(deps, tx, actor, { version, saved: { logo: logoOf(image) } })
  })
  await deps.site.refresh()
  return currentSettings(deps)
}

/** Stores a version with the settings that differ from the newest, if any. */
async function storeChanges(
  { site: { environment } }: Pick<Deps, 'site'>,
  tx: Tx,
  actor: DeskActor,
  { version, saved }: { version: number; saved: Settings },
): Promise<void> {
  await lockSettings(tx)
  const newest = await findNewestVersion(tx)
  const current = settingsOf(newest, environment)
  const next: Settings = { ...current, ...saved }
  const changed = changedBetween(current, next)
  if (changed.length === 0) return
  await requireNewest(tx, version, newest, environment)
  const settings = { ...newest?.settings, ...Object.fromEntries(changed.map((name) => [name, next[name]])) }
  await insertVersion(tx, { ...following(newest, actor), settings: JSON.stringify(settings) })
  await recordAction(tx, actor, { action: 'site_saved', target, reason: changed.join(', ') })
}

/** Saves the settings of an earlier version again. Throws `not_found`, and `conflict` like `saveSettings`. */
export async function restoreVersion(
  deps: SettingsDeps,
  actor: DeskActor,
  { version, restores }: { version: number; restores: number },
): Promise<CurrentSettings> {
  const { environment } = deps.site
  await inTransaction(deps.db, async (tx) => {
    await lockSettings(tx)
    const newest = await findNewestVersion(tx)
    const earlier = restores === 0 ? { settings: {} } : await findVersion(tx, restores)
    if (!earlier) throw new AppError('not_found', siteSettingMessages.noSuchVersion)
    if (isDeepStrictEqual(earlier.settings, newest?.settings ?? {})) return
    await requireNewest(tx, version, newest, environment)
    await insertVersion(tx, {
      ...following(newest, actor),
      settings: JSON.stringify(earlier.settings),
      restores,
    })
    await recordAction(tx, actor, { action: 'site_restored', target, reason: String(restores) })
  })
  await deps.site.refresh()
  return currentSettings(deps)
}

/** Opens the site to a swap for some hours, which the audit log has. */
export async function startSwapDay(
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  actor: DeskActor,
  hours: number,
): Promise<void> {
  // The log first: no swap day is without its entry.
  await inTransaction(db, (tx) =>
    recordAction(tx, actor, { action: 'swap_day_opened', target, reason: String(hours) }),
  )
  await openSwapDay(limits, hours)
}

/** Returns a page of the versions with what each has changed, newest first. */
export async function pageOfVersions(
  { db, site }: Pick<Deps, 'db' | 'site'>,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<SettingsVersion>> {
  const found = await listVersions(db, decodeIdCursor(cursor), limit + 1)
  const { rows, next } = paginate(found, limit, ({ version }) => version)
  const names = await usernamesOf(
    db,
    rows.flatMap(({ actor_id }) => actor_id ?? []),
  )
  return {
    next,
    rows: rows.map((row, index) => {
      const { version, actor_id: id, created_at, restores } = row
      const [before, after] = [found[index + 1], row].map((each) => settingsOf(each, site.environment))
      return {
        version,
        actor: id === null ? null : { id, username: names.get(id) ?? null },
        created_at,
        restores,
        ...changesOf(before ?? site.environment, after ?? site.environment),
      }
    }),
  }
}

/** Returns the number and the operator of the version after the newest. */
function following(newest: VersionRow | undefined, actor_id: DeskActor) {
  return { version: (newest?.version ?? 0) + 1, actor_id }
}

/** Throws `conflict` with the settings that have changed since a version, unless it is the newest. */
async function requireNewest(
  tx: Tx,
  seen: number,
  newest: VersionRow | undefined,
  environment: SiteSettings,
): Promise<void> {
  if (seen === (newest?.version ?? 0)) return
  const [before, now] = [await findVersion(tx, seen), newest].map((row) => settingsOf(row, environment))
  throw new AppError('conflict', siteSettingMessages.changedMeanwhile, {
    errors: changedBetween(before ?? environment, now ?? environment).map((field) => ({
      field,
      message: siteSettingMessages.changed,
    })),
  })
}

function changedBetween(before: Settings, after: Settings): SiteSetting[] {
  return siteSettingNames.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

function changesOf(before: SiteSettings, after: SiteSettings) {
  const changed = changedBetween(before, after)
  const shown = (value: SiteSettings[SiteSetting]) =>
    typeof value === 'string' && value.length > historyLength ? `${value.slice(0, historyLength)}…` : value
  const only = (settings: SiteSettings): Partial<SiteSettings> =>
    Object.fromEntries(changed.map((name) => [name, shown(settings[name])]))
  return { before: only(before), after: only(after) }
}
