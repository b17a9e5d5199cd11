const hourAndMinute = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' })
const withYear = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })

/** Formats a time of today as hour and minute, an earlier one with month and day. */
export function messageTime(moment: string, now = new Date()): string {
  const then = new Date(moment)
  const time = hourAndMinute.format(then)
  return isSameDay(then, now) ? time : `${monthAndDay.format(then)}, ${time}`
}

/** Returns the heading between the messages of two days. */
export function dayName(moment: string, now = new Date()): string {
  const then = new Date(moment)
  if (isSameDay(then, now)) return 'Today'
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (isSameDay(then, yesterday)) return 'Yesterday'
  return (then.getFullYear() === now.getFullYear() ? dayOfYear : withYear).format(then)
}

export function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}
