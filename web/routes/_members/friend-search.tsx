import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseSearchAddress } from '#web/features/search/search-address.ts'
import { prefetchSearch } from '#web/features/search/search-queries.ts'
import { SearchScreen } from '#web/features/search/search-screen.tsx'

export const Route = createFileRoute('/_members/friend-search')({
  validateSearch: parseSearchAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchSearch(context.queryClient, deps, 'members'),
  staticData: { title: msg`Search members` },
  component: Search,
})

function Search() {
  return <SearchScreen to="/friend-search" defaultTab="members" search={Route.useSearch()} />
}
