import { join } from 'node:path'
import type { Config } from './config.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/start.ts'
import { createDiskStorage } from './platform/images/disk-storage.ts'
import { openS3Storage } from './platform/images/s3-storage.ts'
import type { Storage } from './platform/images/storage.ts'

/** Opens the configured database for a command, without a pooler, whether the server runs or not. */
export async function openConfiguredDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>) {
  const embedded = database.url
    ? undefined
    : await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), shared: true })
  return {
    url: database.directUrl ?? database.url ?? embedded?.url ?? '',
    async [Symbol.asyncDispose]() {
      await embedded?.stop()
    },
  }
}

/** Opens the configured storage of images. */
export async function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Storage> {
  return s3 ? openS3Storage(s3) : createDiskStorage(join(dataDir, 'images'))
}
