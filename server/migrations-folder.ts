import { join } from 'node:path'

/** The folder of the migrations of this release. */
export const migrations = join(import.meta.dirname, 'migrations')
