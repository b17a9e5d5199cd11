import { useHydrated } from '@tanstack/react-router'

/** A non-breaking space that reserves the line of a time before hydration. */
export const unknownTime = '\u00a0'

type BrowserTimeProps = { at: string; format: (at: string) => string; className?: string | undefined }

/** Shows a time in the time zone of the browser, which the server does not have. */
export function BrowserTime({ at, format, className }: BrowserTimeProps) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={at} className={className}>
      {isHydrated ? format(at) : unknownTime}
    </time>
  )
}
