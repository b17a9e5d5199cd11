import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { MarketScreen } from '#web/features/market/market-screen.tsx'
import { marketFilter, marketOwners, parseMarketSearch } from '#web/features/market/market-search.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'

export const Route = createFileRoute('/_members/listings/')({
  validateSearch: parseMarketSearch,
  loaderDeps: ({ search }) => search,
  loader({ context: { queryClient }, deps }) {
    void queryClient.prefetchQuery(profileQuery)
    return prefetchList(queryClient, listingPagesQuery(marketOwners(deps), marketFilter(deps)))
  },
  staticData: { title: msg`Marketplace` },
  component: MarketScreen,
})
