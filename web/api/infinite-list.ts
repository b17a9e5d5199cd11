import {
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { Page } from '#web/api/client.ts'

const firstPage = ''

interface ListOptions {
  readonly gcTime?: number
  readonly staleTime?: number
  readonly placeholderData?: typeof keepPreviousData
}

/** Defines the query of a list that is read page by page. `read` gets the cursor of a page, undefined for the first one. */
export function infiniteListOptions<Item>(
  queryKey: QueryKey,
  read: (client: QueryClient, cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item[]>>,
  options: ListOptions = {},
) {
  return infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ client, pageParam, signal }) =>
      read(client, pageParam === firstPage ? undefined : pageParam, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
  })
}

/** Reads a list page by page, for `<LoadMore>`. `items` has all loaded pages and is undefined until the first one is loaded. */
export function useInfiniteList<Item>(options: ReturnType<typeof infiniteListOptions<Item>>) {
  const list = useInfiniteQuery(options)
  const items = list.data?.pages.flatMap((page) => page.items)
  return { ...list, items, isEmpty: items?.length === 0 && !list.hasNextPage }
}
