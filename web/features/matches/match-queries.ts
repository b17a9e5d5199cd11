import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import type { CallInput } from '#contract/endpoint.ts'
import {
  countInterested,
  countInterestedIn,
  countTold,
  dismissMatch,
  listInterested,
  listMatches,
  type Match,
  previewMatchMail,
  restoreMatch,
} from '#contract/matches.ts'
import { call, callPage, readAllPages } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { changeItems, infiniteListOptions } from '#web/api/infinite-list.ts'
import { justFetchedMs } from '#web/api/query-client.ts'
import { invalidateWants } from '#web/features/wants/want-queries.ts'

const matchesKey = ['matches'] as const
const pagesKey = [...matchesKey, 'pages'] as const

/** Defines the query of the matches of all wants, or of one. */
export function matchPagesQuery(want_id: number | undefined) {
  return infiniteListOptions([...pagesKey, want_id ?? null], listMatches, { query: { want_id } })
}

/** Defines the query of the members who want an own listing. */
export function wantedByQuery(id: number) {
  return infiniteListOptions([...matchesKey, 'wanted-by', id], listInterested, { params: { id }, query: {} })
}

/** The query of the number of interested members by id of the own listings. It reads every page. Screens ignore its failure. */
export const interestedCountsQuery = queryOptions({
  queryKey: [...matchesKey, 'interested-counts'],
  queryFn: async ({ client, signal }) => {
    const counts = await readAllPages((cursor) =>
      callPage(client, countInterested, { query: { limit: limits.page.max } }, cursor, { signal }),
    )
    return Object.fromEntries(counts.map(({ listing_id, count }) => [listing_id, count]))
  },
  retry: false,
  // Other members change it.
  staleTime: justFetchedMs,
})

/** Defines the query of the number of members interested in a listing that is being written. Screens ignore its failure. */
export function interestedCountQuery(body: CallInput<typeof countInterestedIn>['body']) {
  return endpointQuery(
    [...matchesKey, 'interested', body],
    countInterestedIn,
    { body },
    { retry: false, placeholderData: keepPreviousData },
  )
}

/** Defines the query of the number of members told of an own listing. Screens ignore its failure. */
export function toldQuery(id: number) {
  return endpointQuery([...matchesKey, 'told', id], countTold, { params: { id } }, { retry: false })
}

/** The query of the preview of the match mail. */
export const matchMailQuery = endpointQuery([...matchesKey, 'mail'], previewMatchMail, {})

/** Invalidates the matches, and the wants, which have counts of matches. */
export async function invalidateMatches(client: QueryClient) {
  await Promise.all([client.invalidateQueries({ queryKey: matchesKey }), invalidateWants(client)])
}

/** Dismisses a match and removes it from the cached lists. */
export async function dismiss(client: QueryClient, { want, listing }: Match) {
  await call(client, dismissMatch, { params: { want_id: want.id, listing_id: listing.id } })
  await client.cancelQueries({ queryKey: pagesKey })
  changeItems<Match>(client, pagesKey, (matches) =>
    matches.filter((match) => match.want.id !== want.id || match.listing.id !== listing.id),
  )
  void invalidateWants(client)
}

/** Restores a dismissed match. */
export async function restore(client: QueryClient, { want, listing }: Match) {
  await call(client, restoreMatch, { params: { want_id: want.id, listing_id: listing.id } })
  await invalidateMatches(client)
}
