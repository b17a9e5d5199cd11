import { type QueryClient, type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/**
 * Returns the cached state of a query without fetching it. An observer with the query function would pull the contract into the
 * first script. An observer without one would remove the function from the query.
 */
export function useQueryState<Data>(queryKey: QueryKey): QueryState<Data> | undefined {
  return useCached((client) => client.getQueryState<Data>(queryKey))
}

/** Returns what `read` returns of the query cache, and renders again when that changes. It must be equal (`Object.is`) if it does not. */
export function useCached<Value>(read: (client: QueryClient) => Value): Value {
  const client = useQueryClient()
  const value = () => read(client)
  return useSyncExternalStore((changed) => client.getQueryCache().subscribe(changed), value, value)
}
