// Node 24 has no Temporal. The polyfill can go with Node 26, which has it.
import { Temporal } from 'temporal-polyfill'

/** Returns the time in a time zone, in UTC if the zone is unknown: one member's zone must not fail a job for many. */
function inTimeZone(timeZone: string, at: Date): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime())
  try {
    return instant.toZonedDateTimeISO(timeZone)
  } catch {
    return instant.toZonedDateTimeISO(ianaName(timeZone))
  }
}

/** Returns the IANA name of a time zone. Intl also knows names such as `PST`, which Temporal refuses. */
function ianaName(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** Returns the local hour, 0 to 23. */
export function hourAt(timeZone: string, at: Date): number {
  return inTimeZone(timeZone, at).hour
}

/** Returns the moment at which a date such as `2027-06-12` begins. */
export function startOfDay(timeZone: string, date: string): Date {
  const day = Temporal.PlainDate.from(date)
  const { timeZoneId } = inTimeZone(timeZone, new Date())
  return new Date(day.toZonedDateTime(timeZoneId).epochMilliseconds)
}

/** Returns the next time after `from` at which this local hour starts. */
export function nextLocalTime(timeZone: string, hour: number, from: Date): Date {
  const now = inTimeZone(timeZone, from)
  const today = now.withPlainTime({ hour })
  const isOver = Temporal.ZonedDateTime.compare(today, now) <= 0
  const next = isOver ? now.add({ days: 1 }).withPlainTime({ hour }) : today
  return new Date(next.epochMilliseconds)
}
