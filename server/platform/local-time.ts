// Node 24 has no Temporal. The polyfill can go with Node 26, which has it.
import { Temporal } from 'temporal-polyfill'

/** Returns the time in a time zone. Throws a RangeError if the zone is unknown. */
function inTimeZone(timeZone: string, at: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
}

/** Returns the local hour, 0 to 23. */
export function hourAt(timeZone: string, at: Date): number {
  return inTimeZone(timeZone, at).hour
}

/** Returns the next time after `from` at which this local hour starts. */
export function nextLocalTime(timeZone: string, hour: number, from: Date): Date {
  const now = inTimeZone(timeZone, from)
  const today = now.withPlainTime({ hour })
  const isOver = Temporal.ZonedDateTime.compare(today, now) <= 0
  const next = isOver ? now.add({ days: 1 }).withPlainTime({ hour }) : today
  return new Date(next.epochMilliseconds)
}
