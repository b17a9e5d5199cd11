import { readKey } from '#server/features/keys/keys.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { publicKeyOf } from '#server/platform/push.ts'
import { failure, ok, reasonOf, type SiteCheck, warning } from './check.ts'
import { findNewestBackup, findServerVersion, listExecutedMigrations } from './queries.ts'

/** PostgreSQL 15, as in `server_version_num`. */
const oldestVersion = 150_000

export const databaseCheck = {
  name: 'database',
  async check({ db }) {
    try {
      const { version, number } = await findServerVersion(db)
      if (number >= oldestVersion) return ok((t) => t('PostgreSQL {version} answers.', { version }))
      return failure(
        (t) => t('PostgreSQL {version} is too old.', { version }),
        (t) => t('Back up, install PostgreSQL 15 or newer, and restore.'),
      )
    } catch (error) {
      const reason = reasonOf(error)
      return failure(
        (t) => t('PostgreSQL can not be used: {reason}.', { reason }),
        (t) => t('Start PostgreSQL, or correct DATABASE_URL and DATABASE_PASSWORD.'),
      )
    }
  },
} as const satisfies SiteCheck

export const migrationsCheck = {
  name: 'migrations',
  async check({ db, migrations }) {
    const known = await listMigrations(migrations)
    const executed = new Set(await listExecutedMigrations(db))
    const pending = known.filter((name) => !executed.has(name)).length
    if (pending > 0)
      return failure(
        (t) =>
          t('{pending, plural, one {# migration is} other {# migrations are}} not applied.', { pending }),
        (t) => t('Start a node of this release: it migrates the database.'),
      )
    const newer = executed.size - known.length
    if (newer > 0)
      return warning(
        (t) =>
          t(
            'The database has {newer, plural, one {# migration} other {# migrations}} of a newer release. This release works on it.',
            { newer },
          ),
        (t) => t('After going back to this release, update again when its successor is repaired.'),
      )
    return ok((t) =>
      t('{known, plural, one {The migration is} other {All # migrations are}} applied.', {
        known: known.length,
      }),
    )
  },
} as const satisfies SiteCheck

const hourMs = 60 * 60 * 1000
/** Backups are nightly: after this time two have failed. */
const oldBackupHours = 50
const lostBackupHours = 8 * 24

export const backupCheck = {
  name: 'backup',
  needsDatabase: true,
  async check({ db }) {
    const takenAt = await findNewestBackup(db)
    if (takenAt === undefined)
      return warning(
        (t) => t('This database has never been backed up by `npm run backup`.'),
        (t) => t('Set up the nightly backup of docs/deployment.md, and copy backups to another machine.'),
      )
    const hours = Math.floor((Date.now() - Date.parse(takenAt)) / hourMs)
    if (hours < oldBackupHours)
      return ok((t) =>
        t('The newest backup is {hours, plural, one {# hour} other {# hours}} old.', { hours }),
      )
    return (hours < lostBackupHours ? warning : failure)(
      (t) =>
        t('The newest backup is {days, plural, one {# day} other {# days}} old.', {
          days: Math.floor(hours / 24),
        }),
      (t) =>
        t('Run `npm run backup -- DIR` and read its error, often a full disk. Then look at the nightly job.'),
    )
  },
} as const satisfies SiteCheck

export const pushKeysCheck = {
  name: 'push_keys',
  needsDatabase: true,
  async check({ db }) {
    const key = await readKey(db, 'vapid')
    if (key === undefined)
      return ok((t) => t('The key of pushes will be made when the first browser asks for it.'))
    try {
      publicKeyOf(key)
      return ok((t) => t('The key of pushes is valid.'))
    } catch {
      return failure(
        (t) => t('The key of pushes is damaged, so no push arrives.'),
        (t) =>
          t(
            'Delete the row `vapid` of the table signing_keys and restart the nodes. Members then switch pushes on again.',
          ),
      )
    }
  },
} as const satisfies SiteCheck
