import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { listListings } from '#contract/listing-queries.ts'
import { findEqual, getListing, guessCategory, type Listing } from '#contract/listings.ts'
import { callPage, type Page, readAllPages } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { listingKey, listingsKey } from './listing-key.ts'

/** Whose listings a list has: everybody's public ones, those of the member's friends, of one member, or all that the member may see. */
export type Owners = 'public' | 'friends' | 'all' | { readonly user_id: number }

const pagesKey = [...listingsKey, 'pages'] as const
const halfAnHourMs = 30 * 60_000

/** The filter and the order of a list. */
export type ListingsFilter = Partial<
  Pick<
    CallInput<typeof listListings>['query'],
    'category_id' | 'q' | 'sort' | 'type_id' | 'min_price' | 'max_price' | 'near' | 'area'
  >
>

/** Defines the query of listings page by page, by default newest first. */
export function listingPagesQuery(owners: Owners, filter: ListingsFilter = {}) {
  const ownerQuery = typeof owners === 'object' ? owners : owners === 'all' ? {} : { [owners]: 'true' }
  return infiniteListOptions(
    [...pagesKey, owners, filter],
    listListings,
    { query: { ...ownerQuery, ...filter } },
    // Going back restores the scroll position, even after a long visit to a listing.
    { gcTime: halfAnHourMs },
  )
}

/** The query of all own listings. The screen “My lists” groups and counts them, so it reads every page. */
export const myListingsQuery = queryOptions({
  queryKey: [...listingsKey, 'mine'],
  queryFn: ({ client, signal }) =>
    readAllPages((cursor) =>
      callPage(client, listListings, { query: { mine: 'true', limit: limits.page.max } }, cursor, { signal }),
    ),
})

/** The query of the own listing that a new one would repeat. */
export function equalListingQuery(query: CallInput<typeof findEqual>['query']) {
  return endpointQuery([...listingsKey, 'equal', query], findEqual, { query }, { retry: false })
}

/** Defines the query of the category that a title names. */
export function guessedCategoryQuery(title: string) {
  return endpointQuery(
    [...listingsKey, 'category', title],
    guessCategory,
    { query: { title } },
    { retry: false },
  )
}

export function listingQuery(id: string) {
  return endpointQuery(listingKey(id), getListing, { params: { id } })
}

/**
 * Returns the listing from the cache, from a cached list or `fallback`, or fetches it. One from a list or `fallback` is stale, so its
 * screen fetches it again.
 */
export function loadListing(client: QueryClient, id: string, fallback?: Listing): Promise<Listing> {
  const { queryKey } = listingQuery(id)
  if (client.getQueryData(queryKey) === undefined) {
    client.setQueryData(queryKey, findInCachedLists(client, id) ?? fallback, { updatedAt: 0 })
  }
  return client.ensureQueryData(listingQuery(id))
}

function findInCachedLists(client: QueryClient, id: string): Listing | undefined {
  const loaded = client.getQueriesData<InfiniteData<Page<Listing[]>>>({ queryKey: pagesKey })
  const listed = loaded.flatMap(([, data]) => data?.pages ?? []).flatMap((page) => page.items)
  const mine = client.getQueryData(myListingsQuery.queryKey) ?? []
  return [...mine, ...listed].find((listing) => String(listing.id) === id)
}

/** Updates a changed listing in the cache and invalidates the lists that may sort or filter it otherwise. */
export async function updateCachedListing(client: QueryClient, changed: Listing) {
  const { queryKey } = listingQuery(String(changed.id))
  const { queryKey: myKey } = myListingsQuery
  // A pending request from before the change would restore the old state.
  await Promise.all([client.cancelQueries({ queryKey }), client.cancelQueries({ queryKey: myKey })])
  client.setQueryData(queryKey, changed)
  const mine = client.getQueryData(myKey)
  if (mine === undefined) void client.invalidateQueries({ queryKey: myKey })
  else
    client.setQueryData(
      myKey,
      mine.map((listing) => (listing.id === changed.id ? changed : listing)),
    )
  void client.invalidateQueries({ queryKey: pagesKey })
}

/** Removes a deleted listing from the cache and invalidates the lists. Call it after leaving the listing's screen, which would fetch it again. */
export async function removeCachedListing(client: QueryClient, id: number) {
  await client.cancelQueries({ queryKey: listingsKey })
  client.setQueryData(myListingsQuery.queryKey, (mine) => mine?.filter((listing) => listing.id !== id))
  client.removeQueries({ queryKey: listingQuery(String(id)).queryKey })
  void invalidateListings(client)
}

/** Invalidates all listings after one was added or deleted. */
export function invalidateListings(client: QueryClient) {
  return client.invalidateQueries({ queryKey: listingsKey })
}
