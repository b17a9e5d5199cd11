import { BrowserTime } from '#web/ui/browser-time.tsx'

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const span = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Returns the day of a moment: "Dec 7". */
export function tradeDay(moment: string): string {
  return day.format(new Date(moment))
}

type PickupTimeProps = { pickup: { readonly starts_at: string; readonly ends_at?: string } }

/** Shows the day and the time span of a pickup, or when it begins. */
export function PickupTime({ pickup: { starts_at, ends_at = starts_at } }: PickupTimeProps) {
  return <BrowserTime at={starts_at} format={(at) => span.formatRange(new Date(at), new Date(ends_at))} />
}
