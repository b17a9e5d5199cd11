import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type pg from 'pg'
import { copyIn, listTables, nameOf, setSequence } from '#server/platform/db/copies.ts'
import { listMigrations, migrate } from '#server/platform/db/migrate.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import type { Storage } from '#server/platform/images/storage.ts'
import { migrations, prepareDatabase } from '#server/start.ts'
import { BackupError, checkSums, type Manifest, readManifest } from './manifest.ts'
import { connect, isKept, schemas } from './tables.ts'

export interface RestoreOptions {
  readonly url: string
  readonly storage: Storage
  readonly folder: string
  /** Whether what is in the database may go. */
  readonly replace: boolean
}

const imageConcurrency = 8

/**
 * Puts a backup into a database that no server works on, and its images where the settings say that images lie. The rows come
 * in one transaction, after the images. An older backup goes into a new database and is brought to the newest schema there.
 * Throws BackupError, and has then changed nothing that was there.
 */
export async function restoreBackup({ url, storage, folder, replace }: RestoreOptions): Promise<Manifest> {
  const backup = await readManifest(folder)
  await checkSums(folder)
  await prepareTarget(url, backup, replace)
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ version: number }>('select version from jobs.version')
    if (rows[0]?.version !== backup.jobs)
      throw new BackupError(
        'The job queue in this backup is of another version. Restore it with the version of Rhubarb that made it, and start this one on that.',
      )
    if (backup.images) await putImages(join(folder, 'images'), storage)
    await client.query('begin')
    const tables = (await listTables(client, schemas)).filter(isKept)
    await client.query(`truncate ${tables.map(nameOf).join(', ')}`)
    for (const table of backup.tables) await copyIn(client, table, folder)
    for (const sequence of backup.sequences) await setSequence(client, sequence)
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
  await migrate(url, migrations)
  return backup
}

/** Sees that the backup fits into the database, and that nothing goes that was not to go. */
async function prepareTarget(url: string, { migrations: done }: Manifest, replace: boolean) {
  const known = await listMigrations(migrations)
  const unknown = done.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new BackupError(
      unknown > (known.at(-1) ?? '')
        ? `This backup is of a newer Rhubarb: this one does not know ${unknown}. Restore it with the version that made it.`
        : `This backup was made before the first release, or by another program: this version does not know ${unknown}. It can not be restored.`,
    )
  const client = await connect(url)
  try {
    await refuseRunning(client)
    const tables = (await listTables(client, schemas)).filter(isKept)
    const isOlder = done.length < known.length
    if (isOlder && tables.length > 0)
      throw new BackupError(
        'This backup is of an older Rhubarb. It can be restored into a database that is new and empty, and is brought up to date there.',
      )
    if (!replace && (await hasMembers(client, tables)))
      throw new BackupError(
        'There are members in this database. To have it replaced by the backup: npm run restore -- DIR --replace',
      )
  } finally {
    await client.end()
  }
  await prepareDatabase(url, done.at(-1))
}

async function refuseRunning(client: pg.Client) {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database()
     and application_name in ('rhubarb', 'rhubarb jobs', 'rhubarb listener') limit 1`,
  )
  if (rowCount) throw new BackupError('A server is running on this database. Stop it first.')
}

/** Without a member there is nothing but what the migrations and the job queue have put there. */
async function hasMembers(client: pg.Client, tables: Awaited<ReturnType<typeof listTables>>) {
  if (!tables.some(({ name }) => name === 'users')) return false
  const { rowCount } = await client.query('select from users limit 1')
  return rowCount === 1
}

async function putImages(folder: string, storage: Storage) {
  const copies = createDiskStorage(folder)
  const turn = pLimit(imageConcurrency)
  for (const part of await readdir(folder)) {
    const files = await readdir(join(folder, part))
    const put = async (file: string) => {
      const copy = await copies.open(file)
      if (copy) await storage.put(file, await buffer(copy.stream), 'image/webp')
    }
    await Promise.all(files.map((file) => turn(put, file)))
  }
}
