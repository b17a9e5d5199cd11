import { listAreas } from '#contract/listing-queries.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { listingsKey } from '#web/features/listings/listing-key.ts'
import { type MarketSearch, marketFilter } from './market-search.ts'

/** The query of how many listings of the marketplace each area has, with the same filters. */
export function areasQuery(search: MarketSearch) {
  const { area: _, sort: __, ...filter } = marketFilter(search)
  const query = { ...filter, ...(search.tab === 'friends' ? { friends: 'true' } : { public: 'true' }) }
  return endpointQuery([...listingsKey, 'areas', query], listAreas, { query })
}
