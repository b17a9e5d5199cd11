import { type CategoryId, categoryName, defaultDays } from '#contract/constants.ts'
import { startOfDay } from '#server/platform/local-time.ts'
import type { Tables } from '#server/tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Owners are reminded two days before the end, for durations under five days one day before. */
const reminder = { longDays: 5, daysBefore: 2, daysBeforeShort: 1 } as const

/** Returns the columns of a listing that ends after some days from now, or from the moment when it is ready if that is later. */
export function expiryColumns(
  days: number,
  readyAt: string | null = null,
): Pick<Tables['listings'], 'ended_at' | 'remind_at'> & { days: number; expires_at: string } {
  const startMs = readyAt === null ? Date.now() : Math.max(Date.now(), Date.parse(readyAt))
  const expiresMs = startMs + days * dayMs
  const daysBefore = days < reminder.longDays ? reminder.daysBeforeShort : reminder.daysBefore
  return {
    days,
    expires_at: new Date(expiresMs).toISOString(),
    ended_at: null,
    remind_at: new Date(expiresMs - daysBefore * dayMs).toISOString(),
  }
}

/** Returns when a listing of an owner in this time zone is ready; null if it is. */
export function readyAtOf(timeZone: string, readyFrom: string | null): string | null {
  if (readyFrom === null) return null
  const start = startOfDay(timeZone, readyFrom)
  return start.getTime() > Date.now() ? start.toISOString() : null
}

/** Returns the number of days of a listing whose owner chooses none. */
export function defaultDaysOf(category: CategoryId | null): number {
  return defaultDays[categoryName(category)]
}
