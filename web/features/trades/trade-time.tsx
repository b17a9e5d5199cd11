import { useHydrated } from '@tanstack/react-router'

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const span = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Shows a day in the time zone of the browser, which the server does not have. */
export function TradeTime({ at }: { at: string }) {
  const isHydrated = useHydrated()
  return <time dateTime={at}>{isHydrated ? day.format(new Date(at)) : '\u00a0'}</time>
}

type PickupTimeProps = { pickup: { readonly starts_at: string; readonly ends_at?: string } }

/** Shows the day and the time span of a pickup, or when it begins. */
export function PickupTime({ pickup: { starts_at, ends_at } }: PickupTimeProps) {
  const isHydrated = useHydrated()
  return <time dateTime={starts_at}>{isHydrated ? spanText(starts_at, ends_at) : '\u00a0'}</time>
}

function spanText(starts_at: string, ends_at = starts_at): string {
  return span.formatRange(new Date(starts_at), new Date(ends_at))
}
