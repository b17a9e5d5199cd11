import { notificationTimes } from '#contract/constants.ts'
import { hourAt, nextLocalTime } from '#server/platform/local-time.ts'

/** Returns now, or during the quiet hours of a time zone their end. */
export function afterQuietHours(timeZone: string, now: Date): Date {
  const { from, to } = notificationTimes.quiet
  const hour = hourAt(timeZone, now)
  return hour >= from || hour < to ? nextLocalTime(timeZone, to, now) : now
}
