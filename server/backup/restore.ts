import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type pg from 'pg'
import { migrations } from '#server/migrations-folder.ts'
import { copyIn, listTables, nameOf, setSequence } from '#server/platform/db/copies.ts'
import { listMigrations, migrate } from '#server/platform/db/migrate.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import type { Storage } from '#server/platform/images/storage.ts'
import { prepareDatabase } from '#server/start.ts'
import { type Manifest, readManifest, verifyChecksums } from './manifest.ts'
import { connect, isReplaced, schemas } from './tables.ts'

export interface RestoreOptions {
  readonly url: string
  readonly storage: Storage
  readonly folder: string
  /** True if the data in the database may be replaced. */
  readonly replace: boolean
}

const imageConcurrency = 8

/**
 * Restores a backup to a database without a running server, and its images to the storage. The rows are restored in one transaction
 * after the images. An older backup needs a new database and is migrated there. Throws OperatorError before it changes existing data.
 */
export async function restoreBackup({ url, storage, folder, replace }: RestoreOptions): Promise<Manifest> {
  const backup = await readManifest(folder)
  await verifyChecksums(folder)
  await prepareTarget(url, backup, replace)
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ version: number }>('select version from jobs.version')
    if (rows[0]?.version !== backup.jobs)
      throw new OperatorError(
        'The job queue in this backup is of another version. Restore it with the version of Rhubarb that made it, then start this version on that database.',
      )
    if (backup.images) await putImages(join(folder, 'images'), storage)
    await client.query('begin')
    const tables = (await listTables(client, schemas)).filter(isReplaced)
    const withTriggers = await listTriggered(client)
    for (const table of withTriggers) await client.query(`alter table ${table} disable trigger user`)
    await client.query(`truncate ${tables.map(nameOf).join(', ')}`)
    for (const table of backup.tables) await copyIn(client, table, folder)
    for (const table of withTriggers) await client.query(`alter table ${table} enable trigger user`)
    for (const sequence of backup.sequences) await setSequence(client, sequence)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(url, migrations)
  return backup
}

/**
 * Returns the tables with triggers of migrations. A restore disables them in its transaction: they refuse changes of the audit log, and
 * would change the rows of a backup. The triggers of foreign keys stay.
 */
async function listTriggered(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

/** Throws unless the backup can be restored to the database, else creates the schema of the backup there. */
async function prepareTarget(url: string, { migrations: executed }: Manifest, replace: boolean) {
  const known = await listMigrations(migrations)
  const unknown = executed.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new OperatorError(
      unknown > (known.at(-1) ?? '')
        ? `This backup is of a newer version of Rhubarb: it has the migration ${unknown}. Restore it with that version.`
        : `This backup was made before the first release, or by another program: this version does not know ${unknown}. It can not be restored.`,
    )
  const client = await connect(url)
  try {
    await refuseRunning(client)
    const tables = (await listTables(client, schemas)).filter(isReplaced)
    const isOlder = executed.length < known.length
    if (isOlder && tables.length > 0)
      throw new OperatorError(
        'This backup is of an older version of Rhubarb. It can only be restored to a new, empty database, where it is migrated.',
      )
    if (!replace && (await hasMembers(client, tables)))
      throw new OperatorError(
        'There are members in this database. To replace it with the backup: npm run restore -- DIR --replace',
      )
  } finally {
    await client.end()
  }
  await prepareDatabase(url, executed.at(-1))
}

async function refuseRunning(client: pg.Client) {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database()
     and application_name in ('rhubarb', 'rhubarb jobs', 'rhubarb listener') limit 1`,
  )
  if (rowCount) throw new OperatorError('A server is running on this database. Stop it first.')
}

/** Returns whether the database has members. Without them it has only rows of migrations and of the job queue. */
async function hasMembers(client: pg.Client, tables: Awaited<ReturnType<typeof listTables>>) {
  if (!tables.some(({ name }) => name === 'users')) return false
  const { rowCount } = await client.query('select from users limit 1')
  return rowCount === 1
}

async function putImages(folder: string, storage: Storage) {
  const copies = createDiskStorage(folder)
  const limit = pLimit(imageConcurrency)
  for (const part of await readdir(folder)) {
    const files = await readdir(join(folder, part))
    const put = async (file: string) => {
      const copy = await copies.open(file)
      if (copy) await storage.put(file, await buffer(copy.stream), 'image/webp')
    }
    await Promise.all(files.map((file) => limit(put, file)))
  }
}
