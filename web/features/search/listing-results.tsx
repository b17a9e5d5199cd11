import { t } from '@lingui/core/macro'
import { keepPreviousData } from '@tanstack/react-query'
import { categories } from '#contract/constants.ts'
import { useInfiniteList } from '#web/api/infinite-list.ts'
import noListings from '#web/art/empty/no-listings.svg'
import { ListingGrid } from '#web/features/listings/listing-grid.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { CardsSkeleton } from '#web/ui/skeleton.tsx'
import type { SearchAddress } from './search-address.ts'
import { listingResultsQuery } from './search-queries.ts'

type ListingResultsProps = Pick<SearchAddress, 'q' | 'category'>

export function ListingResults(search: ListingResultsProps) {
  const { q, category } = search
  const found = useInfiniteList({
    ...listingResultsQuery(q, category && categories[category]),
    placeholderData: keepPreviousData,
  })
  return (
    <PagedList
      list={found}
      skeleton={<CardsSkeleton count={6} />}
      empty={<NoListings {...search} />}
      failure={t`Failed to fetch listings. Please try again later.`}
      of={t`listings`}
    >
      {(items) => <ListingGrid listings={items} variant="market" />}
    </PagedList>
  )
}

function NoListings({ q, category }: ListingResultsProps) {
  return (
    <Empty art={noListings} text={t`No listings found.`}>
      <ButtonLink variant="secondary" to="/post-want" search={{ q, category }}>
        {q === undefined ? t`Add wanted items` : t`Add it to your wish list`}
      </ButtonLink>
    </Empty>
  )
}
