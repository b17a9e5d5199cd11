import {
  type InfiniteData,
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { callPage, type Page } from '#web/api/client.ts'
import { restoreReturned } from '#web/api/query-client.ts'

const firstPage = ''

interface ListOptions {
  readonly gcTime?: number
  readonly staleTime?: number
  readonly placeholderData?: typeof keepPreviousData
}

/** Defines the query of a list that an endpoint returns page by page. */
export function infiniteListOptions<E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E>,
  options: ListOptions = {},
) {
  return infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ client, pageParam, signal }) =>
      callPage(client, endpoint, input, pageParam === firstPage ? undefined : pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
  })
}

/** Changes the loaded pages of the lists whose keys begin with this one. */
export function changeItems<Item>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (items: Item[]) => Item[],
) {
  client.setQueriesData<InfiniteData<Page<Item[]>>>(
    { queryKey },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) },
  )
}

type ListQuery<Item> = UseInfiniteQueryOptions<
  Page<Item[]>,
  Error,
  InfiniteData<Page<Item[]>>,
  QueryKey,
  string
>

/**
 * Starts loading a list for its screen. On Back after a reload, first restores all pages that were loaded before. The router
 * waits for these, so that it can restore the scroll position.
 */
export function prefetchList<Item>(
  client: QueryClient,
  options: ListQuery<Item> & { queryKey: QueryKey },
): Promise<void> | undefined {
  const prefetch = () => void client.prefetchInfiniteQuery(options)
  const restoring = restoreReturned(client, options.queryKey)
  if (restoring !== undefined) return restoring.then(prefetch)
  prefetch()
}

/**
 * Returns the items of all pages. An item that has moved in the list while its pages were read is on two of them, and stays at its first
 * place. Items without an id are all kept.
 */
export function itemsOf<Item>(pages: readonly { readonly items: readonly Item[] }[]): Item[] {
  const seen = new Set<unknown>()
  return pages
    .flatMap(({ items }) => items)
    .filter((item) => {
      const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
      if (id === undefined) return true
      return !seen.has(id) && seen.add(id)
    })
}

/** Reads a list page by page, for `<LoadMore>`. `items` has all loaded pages and is undefined until the first one is loaded. */
export function useInfiniteList<Item>(options: ListQuery<Item>) {
  const list = useInfiniteQuery(options)
  const items = list.data && itemsOf(list.data.pages)
  return { ...list, items, isEmpty: items?.length === 0 && !list.hasNextPage }
}
