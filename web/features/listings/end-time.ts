import { plural } from '@lingui/core/macro'
import { limits } from '#contract/constants.ts'
import { afterDays, daysUntil } from '#web/ui/time.tsx'

/** From so many days on, the end of a listing is told in months. */
const daysOfMonths = 60

/** Returns the moment when a listing of this many days ends if it is posted now. Returns undefined if the days are not allowed. */
export function endAfter(days: number | undefined, now = Date.now()): string | undefined {
  const isAllowed =
    Number.isInteger(days) && Number(days) >= limits.days.min && Number(days) <= limits.days.max
  return isAllowed ? afterDays(Number(days), now) : undefined
}

/** Returns how many midnights are between now and the end of a listing, and whether the end is past. */
export function timeToEnd(expiresAt: string, now = Date.now()) {
  return { days: Math.abs(daysUntil(expiresAt, now)), isOver: Date.parse(expiresAt) <= now }
}

/** Returns when a listing ends: "Ends today", "Ends in 2 days", "Ends in 3 months", "Ended yesterday". */
export function endsIn(expiresAt: string, now = Date.now()): string {
  const { days, isOver } = timeToEnd(expiresAt, now)
  if (days >= daysOfMonths) {
    const months = Math.trunc(days / 30)
    return isOver
      ? plural(months, { one: 'Ended # month ago', other: 'Ended # months ago' })
      : plural(months, { one: 'Ends in # month', other: 'Ends in # months' })
  }
  return isOver
    ? plural(days, {
        0: 'Ended today',
        1: 'Ended yesterday',
        one: 'Ended # day ago',
        other: 'Ended # days ago',
      })
    : plural(days, { 0: 'Ends today', 1: 'Ends tomorrow', one: 'Ends in # day', other: 'Ends in # days' })
}
