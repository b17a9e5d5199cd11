import type { ComponentProps, ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { LoadMore } from './load-more.tsx'
import { Outdated } from './outdated.tsx'

type LoadMoreProps = ComponentProps<typeof LoadMore>

type PagedListProps<Item> = Pick<LoadMoreProps, 'failure' | 'of'> & {
  list: Omit<LoadMoreProps, 'items' | 'failure' | 'of'> & {
    items: readonly Item[] | undefined
    isPending: boolean
    isEmpty: boolean
    refetch: () => unknown
  }
  /** Shown until the first page is loaded. */
  skeleton: ReactNode
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Renders the loaded items. */
  children: (items: readonly Item[]) => ReactNode
}

/** Shows a list that is read page by page (`useInfiniteList`), or that it is loading, empty or could not be loaded. */
export function PagedList<Item>({ list, skeleton, empty, failure, of, children }: PagedListProps<Item>) {
  if (list.isPending || (list.isEmpty && list.isPlaceholderData)) return skeleton
  if (list.items === undefined) return <ErrorState text={failure} onRetry={() => list.refetch()} />
  if (list.isEmpty) return empty
  return (
    <Outdated isOutdated={list.isPlaceholderData}>
      {children(list.items)}
      <LoadMore {...list} failure={failure} of={of} />
    </Outdated>
  )
}
