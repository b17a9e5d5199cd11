import { type InfiniteData, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import {
  countInterested,
  countInterestedIn,
  dismissMatch,
  listMatches,
  listWantedBy,
  type Match,
  previewMatchMail,
  restoreMatch,
} from '#contract/matches.ts'
import { call, callPage, type Page } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { justFetchedMs } from '#web/api/query-client.ts'
import { invalidateWants } from '#web/features/wants/want-queries.ts'

const all = ['matches'] as const
const pages = [...all, 'pages'] as const

/** The matches of the member's wants, or of one. */
export function matchPagesQuery(want_id: number | undefined) {
  return infiniteListOptions([...pages, want_id ?? null], (client, cursor, signal) =>
    callPage(client, listMatches, { query: { want_id, cursor } }, { signal }),
  )
}

/** The members who want one of the member's listings. */
export function wantedByQuery(id: number) {
  return infiniteListOptions([...all, 'wanted by', id], (client, cursor, signal) =>
    callPage(client, listWantedBy, { params: { id }, query: { cursor } }, { signal }),
  )
}

/** How many want each of the member's listings, by id, as all of these are listed. Nothing is said when it can not be told. */
export const interestedCountsQuery = queryOptions({
  queryKey: [...all, 'interested counts'],
  queryFn: async ({ client, signal }) => {
    const counts: [number, number][] = []
    let cursor: string | undefined
    do {
      const page = await callPage(
        client,
        countInterested,
        { query: { limit: limits.page.max, cursor } },
        { signal },
      )
      counts.push(...page.items.map(({ listing_id, count }): [number, number] => [listing_id, count]))
      cursor = page.next
    } while (cursor !== undefined)
    return Object.fromEntries(counts)
  },
  retry: false,
  // Others change it.
  staleTime: justFetchedMs,
})

/** How many want what is being written. It is nice to know, and nothing is said when it can not be told. */
export function interestedCountQuery(body: CallInput<typeof countInterestedIn>['body']) {
  return queryOptions({
    queryKey: [...all, 'interested', body],
    queryFn: ({ client, signal }) => call(client, countInterestedIn, { body }, { signal }),
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** The mail that tells of matches, as it is sent. */
export const matchMailQuery = queryOptions({
  queryKey: [...all, 'mail'],
  queryFn: ({ client, signal }) => call(client, previewMatchMail, {}, { signal }),
})

/** When something was found, the matches are others, and the wants count others. */
export async function invalidateMatches(client: QueryClient) {
  await Promise.all([client.invalidateQueries({ queryKey: all }), invalidateWants(client)])
}

/** The want never shows this listing again. */
export async function dismiss(client: QueryClient, { want, listing }: Match) {
  await call(client, dismissMatch, { params: { want_id: want.id, listing_id: listing.id } })
  await client.cancelQueries({ queryKey: pages })
  client.setQueriesData<InfiniteData<Page<Match[]>>>(
    { queryKey: pages },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          items: page.items.filter((match) => match.want.id !== want.id || match.listing.id !== listing.id),
        })),
      },
  )
  void invalidateWants(client)
}

/** The want shows it again. */
export async function restore(client: QueryClient, { want, listing }: Match) {
  await call(client, restoreMatch, { params: { want_id: want.id, listing_id: listing.id } })
  await invalidateMatches(client)
}
