import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#server/platform/errors.ts'
import { waitUntil } from '#server/platform/wait-until.ts'

/** The time that a start waits for another owner, which may be stopping. */
const timeoutMs = 5000
const sqliteBusy = 5

/**
 * Locks a folder until `close` is called or the process ends. Uses an exclusive SQLite transaction, because Node has no other lock that
 * ends with the process. Throws OperatorError if another process has the lock; the message names `configuredFolder`, which may be
 * a symbolic link to `folder`.
 */
export async function lockFolder(
  folder: string,
  configuredFolder: string,
  notice: (line: string) => void,
): Promise<DatabaseSync> {
  const file = join(folder, 'lock')
  await writeFile(file, '', { mode: 0o600, flag: 'a' })
  const lock = new DatabaseSync(file, { timeout: 0 })
  function tryLock(): boolean {
    try {
      lock.exec('pragma journal_mode = memory; begin exclusive')
      return true
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
      throw error
    }
  }
  if (tryLock()) return lock
  notice('Another Rhubarb uses this database. Waiting in case it is stopping.')
  if (await waitUntil(tryLock, timeoutMs)) return lock
  lock.close()
  throw new OperatorError(
    `Another Rhubarb is already running on the database in ${configuredFolder}. Stop it first, or choose another folder with DATA_DIR.`,
  )
}
