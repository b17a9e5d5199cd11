import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

/** Sees something in the address, which is what was tapped last; its screen may not be there yet. */
export function useWanted<Seen extends string | undefined>(
  see: (address: RouterHistory['location']) => Seen,
): Seen {
  const { history } = useRouter()
  const look = () => see(history.location)
  return useSyncExternalStore(history.subscribe, look, look)
}

/**
 * Returns the pending query string of this screen, so that a tapped tab is marked at once and not only when
 * all that it brings is there.
 */
export function useWantedSearch<Search>(
  path: string,
  read: (search: Record<string, unknown>) => Search,
  shown: Search,
): Search {
  const { parseSearch } = useRouter().options
  const search = useWanted(({ pathname, search }) => (pathname === path ? search : undefined))
  return search === undefined ? shown : read(parseSearch(search))
}
