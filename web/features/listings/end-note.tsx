import { useHydrated } from '@tanstack/react-router'
import { dayOf, endAfter, endsIn } from './end-time.ts'

/** Says when one's own listing ends, or ended. */
export function EndNote({ at, inSentence = false }: { at: string; inSentence?: boolean }) {
  const text = endsIn(at)
  return <LocalTime dateTime={at} text={inSentence ? text.toLowerCase() : text} />
}

/** The day until which a listing is listed. */
export function EndDay({ at }: { at: string }) {
  return <LocalTime dateTime={at} text={dayOf(at)} />
}

/** The day until which a listing is listed that is listed for some days from now on. */
export function EndDayAfter({ days }: { days: number | undefined }) {
  const day = endAfter(days)
  return day === undefined ? null : <LocalTime text={`Until ${day}`} />
}

/** Written again in the browser: the server has another clock and time zone. */
function LocalTime({ dateTime, text }: { dateTime?: string; text: string }) {
  const isHydrated = useHydrated()
  return (
    <time key={String(isHydrated)} dateTime={dateTime} suppressHydrationWarning>
      {text}
    </time>
  )
}
