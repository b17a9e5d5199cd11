import { dayOf, endAfter, endsIn } from './end-time.ts'
import { LocalTime } from './local-time.tsx'

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
