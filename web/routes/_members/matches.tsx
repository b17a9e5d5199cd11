import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { matchPagesQuery } from '#web/features/matches/match-queries.ts'
import { MatchesScreen } from '#web/features/matches/matches-screen.tsx'
import { parseMatchesSearch } from '#web/features/matches/matches-search.ts'
import { ringsQuery } from '#web/features/trades/ring-queries.ts'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'

export const Route = createFileRoute('/_members/matches')({
  validateSearch: parseMatchesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchQuery(myWantsQuery)
    void context.queryClient.prefetchQuery(ringsQuery)
    return prefetchList(context.queryClient, matchPagesQuery(deps.want))
  },
  staticData: { title: msg`Matches` },
  component: MatchesScreen,
})
