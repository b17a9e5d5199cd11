import { type keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { exchange } from '#web/api/client.ts'
import { transportOf } from '#web/api/query-client.ts'

interface Settings {
  readonly staleTime?: number
  readonly retry?: false
  readonly placeholderData?: typeof keepPreviousData
}

/** Defines the query of an endpoint's response. */
export function endpointQuery<E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E>,
  settings: Settings = {},
) {
  return queryOptions({
    ...settings,
    queryKey,
    queryFn: async ({ client, signal }): Promise<CallOutput<E>> =>
      (await exchange(transportOf(client), endpoint, input, { signal })).body,
  })
}
