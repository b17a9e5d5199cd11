import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compileCache } from './bare-server.ts'
import type { World } from './world.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '..', 'server', 'admin.ts')

/** Runs the administration command like the operator does. */
export async function admin(world: World, ...words: string[]): Promise<{ code: number; output: string }> {
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = world
  const env = { PATH: '', DATABASE_URL, DATA_DIR, LOG_LEVEL: 'silent', ...compileCache }
  return run(process.execPath, [program, ...words], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
  )
}
