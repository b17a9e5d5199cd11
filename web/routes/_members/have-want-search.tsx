import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { parseSearchAddress } from '#web/features/search/search-address.ts'
import { prefetchSearch } from '#web/features/search/search-queries.ts'
import { SearchScreen } from '#web/features/search/search-screen.tsx'

export const Route = createFileRoute('/_members/have-want-search')({
  validateSearch: parseSearchAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchSearch(context.queryClient, deps, 'have'),
  staticData: { title: msg`Search` },
  component: Search,
})

function Search() {
  return <SearchScreen to="/have-want-search" defaultTab="have" search={Route.useSearch()} />
}
