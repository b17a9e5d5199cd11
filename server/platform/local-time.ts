import { LRUCache } from 'lru-cache'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** 20 kB each. Members name the zones, and each zone has many spellings. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

/** Throws a RangeError for a time zone that there is not. */
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

/** How far the clocks of a time zone are ahead of UTC at a moment. */
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

/** The hour, 0 to 23, that a clock shows there. */
export function hourAt(timeZone: string, at: Date): number {
  const local = at.getTime() + offsetMs(timeZone, at.getTime())
  return Math.floor((((local % dayMs) + dayMs) % dayMs) / hourMs)
}

/** The next moment, later than `from`, when the clocks there strike this hour. */
export function nextLocalTime(timeZone: string, hour: number, from: Date): Date {
  const offset = offsetMs(timeZone, from.getTime())
  const local = from.getTime() + offset
  const today = Math.floor(local / dayMs) * dayMs + hour * hourMs
  const strike = today > local ? today : today + dayMs
  // The clocks may be changed until then.
  return new Date(strike - offsetMs(timeZone, strike - offset))
}
