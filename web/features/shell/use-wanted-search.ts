import { useLocation } from '@tanstack/react-router'

/**
 * What the address asks of this screen, which may not be `shown` yet: whatever is tapped is marked at once, and not only when
 * all that it brings is there.
 */
export function useWantedSearch<Search>(
  path: string,
  read: (search: Record<string, unknown>) => Search,
  shown: Search,
): Search {
  const wanted = useLocation({ select: ({ pathname, search }) => (pathname === path ? search : undefined) })
  return wanted === undefined ? shown : read(wanted)
}
