import { type CategoryId, categoryName, defaultDays } from '#contract/constants.ts'
import type { Tables } from '#server/tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Owners of listings for at least `longDays` are reminded two days before the end, others one day before. */
const reminder = { longDays: 5, daysBefore: 2, daysBeforeShort: 1 } as const

/** Returns the columns of a listing that is listed for some days from now on. */
export function termOf(
  days: number,
): Pick<Tables['listings'], 'ended_at' | 'remind_at'> & { days: number; expires_at: string } {
  const expires = Date.now() + days * dayMs
  const daysBefore = days < reminder.longDays ? reminder.daysBeforeShort : reminder.daysBefore
  return {
    days,
    expires_at: new Date(expires).toISOString(),
    ended_at: null,
    remind_at: new Date(expires - daysBefore * dayMs).toISOString(),
  }
}

/** Returns for how many days a listing is listed unless its owner chooses. */
export function defaultDaysOf(category: CategoryId | null): number {
  return defaultDays[categoryName(category)]
}
