import { LRUCache } from 'lru-cache'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Formats are large, and a time zone can have many spellings, which members choose. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

/** Returns the cached format of a time zone. Throws a RangeError if it is unknown. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** Returns the offset of a time zone from UTC at a time, in milliseconds. */
function offsetMs(timeZone: string, at: number): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
  ].map((type) => Number(parts.find((part) => part.type === type)?.value))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** Returns the local hour, 0 to 23. */
export function hourAt(timeZone: string, at: Date): number {
  const local = at.getTime() + offsetMs(timeZone, at.getTime())
  return Math.floor((((local % dayMs) + dayMs) % dayMs) / hourMs)
}

/** Returns the next time after `from` at which this local hour starts. */
export function nextLocalTime(timeZone: string, hour: number, from: Date): Date {
  const offset = offsetMs(timeZone, from.getTime())
  const local = from.getTime() + offset
  const today = Math.floor(local / dayMs) * dayMs + hour * hourMs
  const next = today > local ? today : today + dayMs
  // The offset may be different then because of daylight saving time.
  return new Date(next - offsetMs(timeZone, next - offset))
}
