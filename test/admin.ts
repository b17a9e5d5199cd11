import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runAdminCommand } from '#server/admin-commands.ts'
import { compileCache } from './bare-server.ts'
import type { World } from './world.ts'

interface Printed {
  readonly code: number
  readonly output: string
}

/** Runs an administration command without its process. */
export function admin({ config, databaseUrl: url }: World, ...words: string[]): Promise<Printed> {
  const database = { ...config.database, url, directUrl: undefined }
  return runAdminCommand(() => ({ ...config, database }), words)
}

const run = promisify(execFile)
const program = join(import.meta.dirname, '..', 'server', 'admin.ts')

/** Runs an administration command like the operator does. */
export function adminProcess(world: World, ...words: string[]): Promise<Printed> {
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = world
  const env = { PATH: '', DATABASE_URL, DATA_DIR, LOG_LEVEL: 'silent', ...compileCache }
  return run(process.execPath, [program, ...words], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
  )
}
