import { type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/**
 * Returns the cached state of a query without fetching it. An observer with the query function would pull the contract into the
 * first script. An observer without one would remove the function from the query.
 */
export function useQueryState<Data>(queryKey: QueryKey): QueryState<Data> | undefined {
  const client = useQueryClient()
  const read = () => client.getQueryState<Data>(queryKey)
  return useSyncExternalStore((changed) => client.getQueryCache().subscribe(changed), read, read)
}
