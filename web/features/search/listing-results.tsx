import { keepPreviousData } from '@tanstack/react-query'
import { categories } from '#contract/constants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { ListingGrid } from '#web/features/listings/listing-grid.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { CardsSkeleton } from '#web/ui/skeleton.tsx'
import type { SearchAddress } from './search-address.ts'
import { listingResultsQuery } from './search-queries.ts'

const failure = 'Failed to fetch listings. Please try again later.'

export function ListingResults({ q, category }: Pick<SearchAddress, 'q' | 'category'>) {
  const found = useInfiniteList({
    ...listingResultsQuery(q, category && categories[category]),
    placeholderData: keepPreviousData,
  })
  if (found.isPending) return <CardsSkeleton count={6} />
  if (found.items === undefined) return <ErrorState text={failure} onRetry={() => found.refetch()} />

  if (found.isEmpty)
    return (
      <Empty art={noListings} text="No listings found.">
        <ButtonLink
          variant="secondary"
          to="/post-want"
          search={{ ...(q && { q }), ...(category && { category }) }}
        >
          {q === undefined ? 'Add wanted items' : 'Add it to your wish list'}
        </ButtonLink>
      </Empty>
    )
  return (
    <>
      <ListingGrid listings={found.items} variant="market" />
      <LoadMore {...found} failure={failure} of="listings" />
    </>
  )
}
