import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type pg from 'pg'
import { lockImages } from '#server/features/images/lock-images.ts'
import { recordBackup } from '#server/features/site-checks/backups.ts'
import { copyOut, listSequences, listTables } from '#server/platform/db/copies.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { renditionFile } from '#server/platform/images/images.ts'
import type { Storage } from '#server/platform/images/storage.ts'
import { format, type Manifest, writeChecksums, writeManifest } from './manifest.ts'
import { connect, isBackedUp, schemas } from './tables.ts'

export interface BackupOptions {
  readonly url: string
  /** The storage of images; undefined leaves images out. */
  readonly storage: Storage | undefined
  /** The folder of the backup. It is created if it is missing and must be empty. */
  readonly folder: string
  /** Runs in parallel with the name of the snapshot. The backup waits for it. */
  readonly meanwhile?: (snapshot: string) => Promise<void>
}

const imageConcurrency = 8
const imagePageSize = 500

/**
 * Writes a snapshot of the database and all images of its rows. The server may run meanwhile; files of images that it deletes are
 * removed after the backup. Throws OperatorError.
 */
export async function takeBackup({ url, storage, folder, meanwhile }: BackupOptions): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 }).catch(refuseFolder(folder))
  const entries = await readdir(folder)
  if (entries.some((name) => name !== 'tables')) throw new OperatorError(`The folder ${folder} is not empty.`)

  const client = await connect(url)
  try {
    // The lock comes before the snapshot, so that no file of the snapshot is removed before the end.
    await lockImages(client)
    await client.query('begin isolation level repeatable read, read only')
    const [backup] = await Promise.all([
      writeDatabase(client, folder, storage),
      meanwhile &&
        listColumn<string>(client, 'select pg_export_snapshot()').then(([name = '']) => meanwhile(name)),
    ])
    await client.query('commit')
    await writeChecksums(folder)
    await writeManifest(folder, backup)
    await recordBackup(client, backup.taken_at)
    return backup
  } finally {
    await client.end()
  }
}

async function writeDatabase(
  client: pg.Client,
  folder: string,
  storage: Storage | undefined,
): Promise<Manifest> {
  const tables = []
  for (const table of await listTables(client, schemas))
    if (isBackedUp(table)) tables.push(await copyOut(client, table, folder))
  const [taken_at] = await listColumn<Date>(client, 'select now()')
  const [postgres = ''] = await listColumn<string>(client, `select current_setting('server_version')`)
  const [jobs = 0] = await listColumn<number>(client, 'select version from jobs.version')
  return {
    format,
    taken_at: (taken_at ?? new Date()).toISOString(),
    postgres,
    migrations: await listColumn<string>(client, 'select name from kysely_migration order by name'),
    jobs,
    tables,
    sequences: await listSequences(client, schemas),
    images: storage ? await copyImages(client, storage, join(folder, 'images')) : null,
  }
}

async function copyImages(client: pg.Client, storage: Storage, folder: string) {
  await mkdir(folder)
  const copies = createDiskStorage(folder)
  const limit = pLimit(imageConcurrency)
  const missing: string[] = []
  let files = 0
  async function copy(file: string) {
    const opened = await storage.open(file)
    if (!opened) {
      missing.push(file)
      return
    }
    await copies.put(file, await buffer(opened.stream), 'image/webp')
    files += 1
  }
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ name: string; widths: number[] }>(
      `(select name, widths from images where name > $1 order by name limit $2)
       union (select distinct name, widths from kept_photos where name > $1 order by name limit $2) order by name limit $2`,
      [after, imagePageSize],
    )
    const names = rows.flatMap(({ name, widths }) => widths.map((width) => renditionFile(name, width)))
    await Promise.all(names.map((file) => limit(copy, file)))
    const last = rows.at(-1)
    if (!last) return { files, missing }
    after = last.name
  }
}

async function listColumn<Value>(client: pg.Client, text: string): Promise<Value[]> {
  const { rows } = await client.query<[Value]>({ text, rowMode: 'array' })
  return rows.map(([value]) => value)
}

function refuseFolder(folder: string) {
  return (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(`No backup can be written to ${folder}. (${reason})`, { cause })
  }
}
