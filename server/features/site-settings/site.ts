import type { Logger } from 'pino'
import { type SiteSettings, siteSettingNames, siteSettings } from '#contract/site-settings.ts'
import type { EventReceiver } from '#server/platform/events/event-bus.ts'
import type { Db } from '#server/tables.ts'
import { findNewestVersion, settingsSaved, type VersionRow } from './queries.ts'

/** The settings of the site, in the memory of every node. */
export interface Site {
  /** Returns the settings that hold now. Call it when a setting is needed, because they change. */
  current(): SiteSettings
  /** The settings that hold until an operator saves others. */
  readonly environment: SiteSettings
  /** Reads the settings from the database. */
  refresh(): Promise<void>
}

const retryMs = 1000

/** Creates the settings of a node, which follow those that any node saves. Call `refresh` before they are needed. */
export function createSite(
  db: Db,
  { events, log, environment }: { events: EventReceiver; log: Logger; environment: SiteSettings },
): Site & { stop(): void } {
  let known = { version: 0, settings: environment }
  let retry: NodeJS.Timeout | undefined

  async function refresh() {
    const newest = await findNewestVersion(db)
    // An older answer may come later.
    if (newest && newest.version > known.version)
      known = { version: newest.version, settings: settingsOf(newest, environment) }
  }

  function refreshOrRetry() {
    clearTimeout(retry)
    refresh().catch((error: unknown) => {
      log.warn({ err: error }, 'The settings of the site could not be read')
      retry = setTimeout(refreshOrRetry, retryMs).unref()
    })
  }

  events.on(settingsSaved, refreshOrRetry, refreshOrRetry)
  return { current: () => known.settings, environment, refresh, stop: () => clearTimeout(retry) }
}

/** Reads the settings that hold; those of the environment if the database can not be read. */
export async function readSettings(db: Db, environment: SiteSettings): Promise<SiteSettings> {
  const newest = await findNewestVersion(db).catch(() => undefined)
  return settingsOf(newest, environment)
}

/** Returns all settings of a version. Those that it does not have, and those that this release does not accept, are of the environment. */
export function settingsOf(version: VersionRow | undefined, environment: SiteSettings): SiteSettings {
  const stored: Readonly<Record<string, unknown>> = { ...version?.settings }
  const accepted = siteSettingNames.flatMap((name) => {
    const { success, data } = siteSettings.shape[name].safeParse(stored[name])
    return success ? [[name, data] as const] : []
  })
  return { ...environment, ...Object.fromEntries(accepted) }
}
