import { t } from '@lingui/core/macro'
import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { perLocale } from '#web/i18n/formats.ts'

const dayMs = 24 * 60 * 60_000

const formatter = (parts: Intl.DateTimeFormatOptions) =>
  perLocale((tag) => new Intl.DateTimeFormat(tag, parts))
const minutes = formatter({ hour: 'numeric', minute: '2-digit' })
const daysAndMinutes = formatter({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const shortDays = formatter({ month: 'short', day: 'numeric' })
const days = formatter({ month: 'long', day: 'numeric' })
const daysOfYears = formatter({ month: 'long', day: 'numeric', year: 'numeric' })
const months = formatter({ month: 'long' })
const monthsOfYears = formatter({ month: 'long', year: 'numeric' })
const spans = formatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const relative = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))

/** A non-breaking space that reserves the line of a time before hydration. */
export const unknownTime = '\u00a0'

type TimeProps = {
  at: string
  format: (at: string) => ReactNode
  /** The text names a day. The server's time zone is near enough for it until hydration. */
  isDay?: boolean
  className?: string | undefined
}

/** Shows a moment in the time zone of the browser, which the server does not have. */
export function Time({ at, format, isDay = false, className }: TimeProps) {
  const isHydrated = useHydrated()
  return (
    // The key replaces a text that the server wrote with another clock.
    <time key={String(isHydrated)} dateTime={at} className={className} suppressHydrationWarning>
      {isHydrated || isDay ? format(at) : unknownTime}
    </time>
  )
}

/** Formats a time of today as hour and minute, an earlier one with month and day. */
export function shortTime(moment: string, now = new Date()): string {
  const then = new Date(moment)
  return (isSameDay(then, now) ? minutes : daysAndMinutes)().format(then)
}

/** Returns the day of a moment: "Dec 7". */
export function shortDay(moment: string): string {
  return shortDays().format(new Date(moment))
}

/** Returns the day of a moment: "December 7", or "December 7, 2027" in another year. */
export function dayOf(moment: string, now = new Date()): string {
  const then = new Date(moment)
  return (then.getFullYear() === now.getFullYear() ? days : daysOfYears)().format(then)
}

/** Returns the month of a date: "June", or "June 2027" in another year. */
export function monthOf(date: string, now = new Date()): string {
  const then = new Date(`${date}T00:00`)
  return (then.getFullYear() === now.getFullYear() ? months : monthsOfYears)().format(then)
}

/** Returns a date without a time: "Dec 7". */
export function dayOfDate(date: string): string {
  return shortDays().format(new Date(`${date}T00:00`))
}

/** Returns "Today", "Yesterday", or the day of a moment. */
export function dayName(moment: string, now = new Date()): string {
  const past = -daysUntil(moment, now.getTime())
  if (past === 0) return t`Today`
  return past === 1 ? t`Yesterday` : dayOf(moment, now)
}

/** Returns the day and the hours from one moment to another. */
export function timeSpan(from: string, until: string): string {
  return spans().formatRange(new Date(from), new Date(until))
}

/** Returns how long ago a moment was: "today", "yesterday", "3 days ago", "2 weeks ago". */
export function timeAgo(moment: string, now = Date.now()): string {
  const past = daysSince(moment, now)
  if (past < 14) return relative().format(-past, 'day')
  if (past < 60) return relative().format(-Math.floor(past / 7), 'week')
  if (past < 365) return relative().format(-Math.floor(past / 30), 'month')
  return relative().format(-Math.floor(past / 365), 'year')
}

export function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** Returns how many midnights are between a moment and now, 0 for one in the future. */
export function daysSince(moment: string, now = Date.now()): number {
  return Math.max(0, -daysUntil(moment, now))
}

/** Returns how many midnights are between now and a moment. */
export function daysUntil(moment: string, now = Date.now()): number {
  return Math.round((startOfDay(Date.parse(moment)) - startOfDay(now)) / dayMs)
}

/** Returns the moment that is this many days after now. */
export function afterDays(count: number, now = Date.now()): string {
  return new Date(now + count * dayMs).toISOString()
}

function startOfDay(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}
