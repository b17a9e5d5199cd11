import { listRings } from '#contract/trades.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { tradesKey } from './trade-queries.ts'

/** The query of the rings that are suggested to the member. */
export const ringsQuery = endpointQuery([...tradesKey, 'rings'], listRings, {})
