import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { listingPagesQuery } from '#web/features/listings/listing-queries.ts'
import { MarketScreen } from '#web/features/market/market-screen.tsx'
import { marketFilter, marketOwners, parseMarketSearch } from '#web/features/market/market-search.ts'
import { matchPagesQuery } from '#web/features/matches/match-queries.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'

export const Route = createFileRoute('/_members/listings/')({
  validateSearch: parseMarketSearch,
  loaderDeps: ({ search }) => search,
  // Not a method: the bundler would leave it, and all that it imports, in the scripts of every page.
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(profileQuery)
    const matches = deps.q === undefined ? prefetchList(queryClient, matchPagesQuery(undefined)) : undefined
    const listings = prefetchList(queryClient, listingPagesQuery(marketOwners(deps), marketFilter(deps)))
    return matches || listings ? Promise.all([matches, listings]) : undefined
  },
  staticData: { title: msg`Marketplace` },
  component: MarketScreen,
})
