import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { getListing, type Listing, listListings } from '#contract/listings.ts'
import { call, callPage, type Page } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { listingKey, listingsKey } from './listing-key.ts'

/** Whose listings: everyone's public ones, the friends', one member's, or all that one may see. */
export type Owners = 'public' | 'friends' | 'all' | { readonly user_id: number }

const pages = [...listingsKey, 'pages'] as const
const halfAnHour = 30 * 60_000

/** Which of their listings, and in what order. */
export type ListingsFilter = Partial<
  Pick<
    CallInput<typeof listListings>['query'],
    'category_id' | 'q' | 'sort' | 'type_id' | 'min_price' | 'max_price' | 'near'
  >
>

/** Listings page by page, newest first unless the filter says otherwise. */
export function listingPagesQuery(owners: Owners, filter: ListingsFilter = {}) {
  const whose = typeof owners === 'object' ? owners : owners === 'all' ? {} : { [owners]: 'true' }
  return infiniteListOptions(
    [...pages, owners, filter],
    (client, cursor, signal) =>
      callPage(client, listListings, { query: { ...whose, ...filter, cursor } }, { signal }),
    // The scroll position is restored after a long visit to a listing.
    { gcTime: halfAnHour },
  )
}

/** All of the member's own listings: they are grouped and counted, so every page is needed. */
export const myListingsQuery = queryOptions({
  queryKey: [...listingsKey, 'mine'],
  queryFn: async ({ client, signal }) => {
    const mine: Listing[] = []
    let cursor: string | undefined
    do {
      const query = { mine: 'true', limit: limits.page.max, cursor }
      const page = await callPage(client, listListings, { query }, { signal })
      mine.push(...page.items)
      cursor = page.next
    } while (cursor !== undefined)
    return mine
  },
})

export function listingQuery(id: string) {
  return queryOptions({
    queryKey: listingKey(id),
    queryFn: ({ client, signal }) => call(client, getListing, { params: { id } }, { signal }),
  })
}

/** The listing: at once when a list holds it already, or else as it was last `known`, and then renewed when that is old. */
export function loadListing(client: QueryClient, id: string, known?: Listing): Promise<Listing> {
  const { queryKey } = listingQuery(id)
  if (client.getQueryData(queryKey) === undefined) {
    client.setQueryData(queryKey, listedBefore(client, id) ?? known, { updatedAt: 0 })
  }
  return client.ensureQueryData(listingQuery(id))
}

function listedBefore(client: QueryClient, id: string): Listing | undefined {
  const loaded = client.getQueriesData<InfiniteData<Page<Listing[]>>>({ queryKey: pages })
  const listed = loaded.flatMap(([, data]) => data?.pages ?? []).flatMap((page) => page.items)
  const mine = client.getQueryData(myListingsQuery.queryKey) ?? []
  return [...mine, ...listed].find((listing) => String(listing.id) === id)
}

/** Shows a change wherever the listing is shown. */
export async function updateCachedListing(client: QueryClient, changed: Listing) {
  // A list that was asked for before the change would bring the old state back.
  await client.cancelQueries({ queryKey: myListingsQuery.queryKey })
  client.setQueryData(myListingsQuery.queryKey, (mine) =>
    mine?.map((listing) => (listing.id === changed.id ? changed : listing)),
  )
  client.setQueryData(listingQuery(String(changed.id)).queryKey, changed)
  void client.invalidateQueries({ queryKey: pages })
}

/** Takes a listing that is no more out of every list. Its own screen has to be left by then. */
export async function removeCachedListing(client: QueryClient, id: number) {
  await client.cancelQueries({ queryKey: listingsKey })
  client.setQueryData(myListingsQuery.queryKey, (mine) => mine?.filter((listing) => listing.id !== id))
  client.removeQueries({ queryKey: listingQuery(String(id)).queryKey })
  void invalidateListings(client)
}

/** When a listing has come or gone, every list is another. */
export function invalidateListings(client: QueryClient) {
  return client.invalidateQueries({ queryKey: listingsKey })
}
