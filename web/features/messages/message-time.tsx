import { useHydrated } from '@tanstack/react-router'
import { messageTime } from './time-format.ts'

/** A non-breaking space that reserves the line of a time before hydration. */
export const unknownTime = '\u00a0'

/** Shows a time in the time zone of the browser, which the server does not have. */
export function MessageTime({
  at,
  now,
  className,
}: {
  at: string
  now?: Date
  className?: string | undefined
}) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={at} className={className}>
      {isHydrated ? messageTime(at, now) : unknownTime}
    </time>
  )
}
