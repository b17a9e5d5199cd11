import { notificationTimes } from '#contract/constants.ts'
import { hourAt, nextLocalTime } from '#server/platform/local-time.ts'

/** Returns `now`, or the end of the quiet hours if they apply in the time zone. */
export function afterQuietHours(timeZone: string, now: Date): Date {
  const { from, to } = notificationTimes.quiet
  const hour = hourAt(timeZone, now)
  return hour >= from || hour < to ? nextLocalTime(timeZone, to, now) : now
}

/** Returns the seconds until the quiet hours end in the time zone, or 0 outside them. */
export function quietSecondsLeft(timeZone: string): number {
  const now = new Date()
  return Math.ceil((afterQuietHours(timeZone, now).getTime() - now.getTime()) / 1000)
}
