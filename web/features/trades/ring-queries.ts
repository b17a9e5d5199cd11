import { queryOptions } from '@tanstack/react-query'
import { listRings } from '#contract/trades.ts'
import { call } from '#web/api/client.ts'
import { tradesKey } from './trade-queries.ts'

/** The query of the rings that are suggested to the member. */
export const ringsQuery = queryOptions({
  queryKey: [...tradesKey, 'rings'],
  queryFn: ({ client, signal }) => call(client, listRings, {}, { signal }),
})
