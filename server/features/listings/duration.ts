import { type CategoryId, categoryName, defaultDays } from '#contract/constants.ts'
import type { Tables } from '#server/tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Owners are reminded two days before the end, for durations under five days one day before. */
const reminder = { longDays: 5, daysBefore: 2, daysBeforeShort: 1 } as const

/** Returns the columns of a listing that ends after some days from now. */
export function expiryColumns(
  days: number,
): Pick<Tables['listings'], 'ended_at' | 'remind_at'> & { days: number; expires_at: string } {
  const expiresMs = Date.now() + days * dayMs
  const daysBefore = days < reminder.longDays ? reminder.daysBeforeShort : reminder.daysBefore
  return {
    days,
    expires_at: new Date(expiresMs).toISOString(),
    ended_at: null,
    remind_at: new Date(expiresMs - daysBefore * dayMs).toISOString(),
  }
}

/** Returns the number of days of a listing whose owner chooses none. */
export function defaultDaysOf(category: CategoryId | null): number {
  return defaultDays[categoryName(category)]
}
