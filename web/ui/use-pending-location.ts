import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

/** Returns a part of the address, which changes at a tap, before the router has loaded the screen. */
export function usePendingLocation<Selected extends string | undefined>(
  select: (address: RouterHistory['location']) => Selected,
): Selected {
  const { history } = useRouter()
  const read = () => select(history.location)
  return useSyncExternalStore(history.subscribe, read, read)
}

/** Returns the pending search parameters of a screen, so that a tapped tab is marked before its data is loaded. */
export function usePendingSearch<Search>(
  path: string,
  read: (search: Record<string, unknown>) => Search,
  shown: Search,
): Search {
  const { parseSearch } = useRouter().options
  const search = usePendingLocation(({ pathname, search }) => (pathname === path ? search : undefined))
  return search === undefined ? shown : read(parseSearch(search))
}
