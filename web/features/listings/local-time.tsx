import { useHydrated } from '@tanstack/react-router'

/** Renders again after hydration, because the server has another clock and time zone. */
export function LocalTime({ dateTime, text }: { dateTime?: string; text: string }) {
  const isHydrated = useHydrated()
  return (
    <time key={String(isHydrated)} dateTime={dateTime} suppressHydrationWarning>
      {text}
    </time>
  )
}
