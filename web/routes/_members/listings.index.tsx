import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { MarketScreen } from '#web/features/market/market-screen.tsx'
import { marketFilter, marketOwners, parseMarketSearch } from '#web/features/market/market-search.ts'

export const Route = createFileRoute('/_members/listings/')({
  validateSearch: parseMarketSearch,
  loaderDeps: ({ search }) => search,
  // Not awaited: the screen shows its skeleton at once.
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(listingPagesQuery(marketOwners(deps), marketFilter(deps)))
  },
  staticData: { title: msg`Marketplace` },
  component: MarketScreen,
})
