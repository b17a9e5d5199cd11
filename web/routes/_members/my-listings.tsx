import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { myListingsQuery } from '#web/features/listings/listing-queries.ts'
import { interestedCountsQuery } from '#web/features/matches/match-queries.ts'
import { profileQuery } from '#web/features/members/profile-query.ts'
import { MyListsScreen } from '#web/features/my-lists/my-lists-screen.tsx'
import { parseMyListsSearch } from '#web/features/my-lists/my-lists-search.ts'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'

export const Route = createFileRoute('/_members/my-listings')({
  validateSearch: parseMyListsSearch,
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchQuery(profileQuery)
    if (deps.tab === 'want') return void context.queryClient.prefetchQuery(myWantsQuery)
    void context.queryClient.prefetchQuery(myListingsQuery)
    void context.queryClient.prefetchQuery(interestedCountsQuery)
  },
  staticData: { title: msg`My lists` },
  component: MyListsScreen,
})
