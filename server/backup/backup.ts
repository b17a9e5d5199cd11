import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type pg from 'pg'
import { lockImages } from '#server/features/images/lock-images.ts'
import { copyOut, listSequences, listTables } from '#server/platform/db/copies.ts'
import { createDiskStorage } from '#server/platform/images/disk-storage.ts'
import { renditionFile } from '#server/platform/images/images.ts'
import type { Storage } from '#server/platform/images/storage.ts'
import { BackupError, format, type Manifest, writeManifest, writeSums } from './manifest.ts'
import { connect, isKept, schemas } from './tables.ts'

export interface BackupOptions {
  readonly url: string
  /** Where images lie; undefined leaves them out. */
  readonly storage: Storage | undefined
  /** Made when it is missing; refused when there is something in it. */
  readonly folder: string
  /** Reads more in the same snapshot, given by its name. The backup waits for it. */
  readonly meanwhile?: (snapshot: string) => Promise<void>
}

const imageConcurrency = 8
const imagesAPage = 500

/**
 * Writes the database as it is at one moment, and every image that has a row then. The server may run: it is not held up,
 * and the files of images that it deletes meanwhile go a little later. Throws BackupError.
 */
export async function takeBackup({ url, storage, folder, meanwhile }: BackupOptions): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 }).catch(refuseFolder(folder))
  const found = await readdir(folder)
  if (found.some((name) => name !== 'tables'))
    throw new BackupError(`There is something in ${folder} already.`)

  const client = await connect(url)
  try {
    // First the hold, then the snapshot: what the snapshot names is not removed until the end.
    await lockImages(client)
    await client.query('begin isolation level repeatable read, read only')
    const [backup] = await Promise.all([
      writeDatabase(client, folder, storage),
      meanwhile &&
        listColumn<string>(client, 'select pg_export_snapshot()').then(([name = '']) => meanwhile(name)),
    ])
    await client.query('commit')
    await writeSums(folder)
    await writeManifest(folder, backup)
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
    if (isKept(table)) tables.push(await copyOut(client, table, folder))
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
  const turn = pLimit(imageConcurrency)
  const missing: string[] = []
  let files = 0
  async function copy(file: string) {
    const found = await storage.open(file)
    if (!found) {
      missing.push(file)
      return
    }
    await copies.put(file, await buffer(found.stream), 'image/webp')
    files += 1
  }
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ name: string; widths: number[] }>(
      'select name, widths from images where name > $1 order by name limit $2',
      [after, imagesAPage],
    )
    const names = rows.flatMap(({ name, widths }) => widths.map((width) => renditionFile(name, width)))
    await Promise.all(names.map((file) => turn(copy, file)))
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
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new BackupError(`No backup can be written to ${folder}. (${why})`, { cause })
  }
}
