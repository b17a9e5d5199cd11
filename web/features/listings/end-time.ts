import { limits } from '#contract/constants.ts'

const dayMs = 24 * 60 * 60_000
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const thisYear = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long' })
const otherYear = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', year: 'numeric' })

/** Returns the day of a moment: "December 7", or "December 7, 2027" in another year. */
export function dayOf(moment: string | number, now = Date.now()): string {
  const then = new Date(moment)
  const isThisYear = then.getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? thisYear : otherYear).format(then)
}

/** Returns the day on which a listing of this many days ends if it is posted now. Returns undefined if the days are not allowed. */
export function endAfter(days: number | undefined, now = Date.now()): string | undefined {
  const isAllowed =
    Number.isInteger(days) && Number(days) >= limits.days.min && Number(days) <= limits.days.max
  return isAllowed ? dayOf(now + Number(days) * dayMs, now) : undefined
}

/** Returns how many midnights are between now and a moment. */
export function daysUntil(moment: string, now = Date.now()): number {
  return Math.round((startOfDay(Date.parse(moment)) - startOfDay(now)) / dayMs)
}

/** Returns when a listing ends: "Ends today", "Ends in 2 days", "Ends in 3 months", "Ended yesterday". */
export function endsIn(expiresAt: string, now = Date.now()): string {
  const days = daysUntil(expiresAt, now)
  const verb = Date.parse(expiresAt) <= now ? 'Ended' : 'Ends'
  return `${verb} ${inWords(days)}`
}

function inWords(days: number): string {
  const size = Math.abs(days)
  if (size < 60) return relative.format(days, 'day')
  return relative.format(Math.trunc(days / 30), 'month')
}

function startOfDay(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}
