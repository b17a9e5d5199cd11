import { notificationTimes } from '#contract/constants.ts'
import { hourAt, nextLocalTime } from '#server/platform/local-time.ts'

/** Returns the time, or the end of the quiet hours if they apply then in the time zone. */
export function afterQuietHours(timeZone: string, at: Date): Date {
  const { from, to } = notificationTimes.quiet
  const hour = hourAt(timeZone, at)
  return hour >= from || hour < to ? nextLocalTime(timeZone, to, at) : at
}
