import { useHydrated } from '@tanstack/react-router'
import { dayOf, endAfter, endsIn } from './end-time.ts'

/** Shows when the member's own listing ends or ended. */
export function EndNote({ at, inSentence = false }: { at: string; inSentence?: boolean }) {
  const text = endsIn(at)
  return <LocalTime dateTime={at} text={inSentence ? text.toLowerCase() : text} />
}

/** Shows the day on which a listing ends. */
export function EndDay({ at }: { at: string }) {
  return <LocalTime dateTime={at} text={dayOf(at)} />
}

/** Shows the day on which a listing ends if it is posted or relisted now. Shows nothing if the days are not allowed. */
export function EndDayAfter({ days }: { days: number | undefined }) {
  const day = endAfter(days)
  return day === undefined ? null : <LocalTime text={`Until ${day}`} />
}

/** Renders again after hydration, because the server has another clock and time zone. */
function LocalTime({ dateTime, text }: { dateTime?: string; text: string }) {
  const isHydrated = useHydrated()
  return (
    <time key={String(isHydrated)} dateTime={dateTime} suppressHydrationWarning>
      {text}
    </time>
  )
}
