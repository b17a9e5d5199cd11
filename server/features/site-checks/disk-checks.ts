import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failure, type Outcome, ok, type SiteCheck, warning } from './check.ts'
import { findDatabaseFolder } from './queries.ts'

const gigabyte = 1e9
/** Uploads of a gigabyte can wait at the same time. */
const littleBytes = 2 * gigabyte
const fullBytes = 0.5 * gigabyte

export const photoDiskCheck = {
  name: 'photo_disk',
  async check({ hasBucket, dataDir }) {
    if (hasBucket) return ok((t) => t('Photos are in the bucket.'))
    return outcomeOf(dataDir, await freeBytes(dataDir))
  },
} as const satisfies SiteCheck

export const databaseDiskCheck = {
  name: 'database_disk',
  needsDatabase: true,
  async check({ db, databaseDir }) {
    const { bytes = 0, folder } = (await findDatabaseFolder(db)) ?? {}
    const path = folder ?? databaseDir
    if (databaseDir === undefined || path === undefined || !existsSync(path))
      return ok((t) =>
        t(
          'The database has {size, number} GB. How much of its disk is free is seen on its machine only, with `df -h`.',
          { size: gigabytes(bytes) },
        ),
      )
    return outcomeOf(path, await freeBytes(path))
  },
} as const satisfies SiteCheck

/** Returns the free bytes of a folder's disk, also of one that is not made yet. */
async function freeBytes(folder: string): Promise<number> {
  const parent = dirname(folder)
  if (!existsSync(folder) && parent !== folder) return freeBytes(parent)
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function outcomeOf(folder: string, free: number): Outcome {
  const says: Outcome['says'] = (t) =>
    t('{size, number} GB are free on the disk of {folder}.', { size: gigabytes(free), folder })
  if (free >= littleBytes) return ok(says)
  return (free < fullBytes ? failure : warning)(says, (t) =>
    t('Delete old backups and logs there, or take a larger disk. A full one stops the site.'),
  )
}

const gigabytes = (bytes: number) => Math.round((bytes / gigabyte) * 10) / 10
