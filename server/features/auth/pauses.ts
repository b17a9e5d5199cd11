import { pausedText } from '#contract/pauses.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/tables.ts'
import { deletePause, findPauseEnd, upsertPause } from './pause-queries.ts'

export const storePause = upsertPause
export const endPause = deletePause

/** Throws `paused` with the end if a member is paused. */
export async function requireNoPause(db: Db, userId: number): Promise<void> {
  const end = await findPauseEnd(db, userId)
  if (end === undefined) return
  const retryAfter = Math.max(1, Math.ceil((Date.parse(end) - Date.now()) / 1000))
  throw new AppError('paused', pausedText(inUtc(end)), { retryAfter })
}

/** Returns a moment as "2026-12-02 14:05 UTC". */
function inUtc(moment: string): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
