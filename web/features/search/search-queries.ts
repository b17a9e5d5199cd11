import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CategoryId, categories } from '#contract/constants.ts'
import { searchMembers } from '#contract/members.ts'
import { searchWants } from '#contract/wants.ts'
import { call } from '#web/api/client.ts'
import { infiniteListOptions, prefetchList } from '#web/api/infinite-list.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { membersKey } from '#web/features/members/public-member-key.ts'
import { wantsKey } from '#web/features/wants/want-queries.ts'
import type { SearchAddress, SearchTab } from './search-address.ts'

/** Defines the query of listings of all members, page by page. */
export function listingResultsQuery(q: string | undefined, category_id: CategoryId | undefined) {
  return listingPagesQuery('all', { q, category_id })
}

/** Defines the query of other members' wants, page by page. */
export function wantResultsQuery(q: string | undefined, category_id: CategoryId | undefined) {
  return infiniteListOptions(
    [...wantsKey, 'found', q ?? null, category_id ?? null],
    searchWants,
    { query: { q, category_id } },
    { placeholderData: keepPreviousData },
  )
}

/** Defines the query of members by username, or of the nearest members without words. */
export function memberResultsQuery(q: string | undefined) {
  return queryOptions({
    queryKey: [...membersKey, 'found', q ?? null],
    queryFn: ({ client, signal }) => call(client, searchMembers, { query: { q } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Prefetches the results of the search screen. */
export function prefetchSearch(client: QueryClient, search: SearchAddress, defaultTab: SearchTab) {
  const { tab = defaultTab, category, q } = search
  const category_id = category && categories[category]
  if (tab === 'have') return prefetchList(client, listingResultsQuery(q, category_id))
  if (tab === 'want') return prefetchList(client, wantResultsQuery(q, category_id))
  void client.prefetchQuery(memberResultsQuery(q))
}
