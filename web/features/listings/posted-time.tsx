import { daysUntil } from './end-time.ts'
import { LocalTime } from './local-time.tsx'

const format = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** Returns how long ago a listing was posted: "today", "yesterday", "3 days ago", "2 weeks ago". */
export function postedAgo(createdAt: string, now = Date.now()): string {
  const days = daysSince(createdAt, now)
  if (days < 14) return format.format(-days, 'day')
  if (days < 60) return format.format(-Math.floor(days / 7), 'week')
  if (days < 365) return format.format(-Math.floor(days / 30), 'month')
  return format.format(-Math.floor(days / 365), 'year')
}

function daysSince(createdAt: string, now: number): number {
  return Math.max(0, -daysUntil(createdAt, now))
}

type PostedTimeProps = {
  at: string
  /** Renders nothing for a listing of today. */
  olderOnly?: boolean
}

export function PostedTime({ at, olderOnly = false }: PostedTimeProps) {
  const isNew = daysSince(at, Date.now()) === 0
  return <LocalTime dateTime={at} text={olderOnly && isNew ? '' : postedAgo(at)} />
}
