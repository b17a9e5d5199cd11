import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { myListingsQuery } from '#web/features/listings/listing-queries.ts'
import { MyListsScreen } from '#web/features/listings/my-lists-screen.tsx'
import { myListsSearch } from '#web/features/listings/my-lists-search.ts'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'

export const Route = createFileRoute('/_members/my-listings')({
  validateSearch: myListsSearch,
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: ({ deps }) => {
    void (deps.tab === 'want'
      ? queryClient.prefetchQuery(myWantsQuery)
      : queryClient.prefetchQuery(myListingsQuery))
  },
  head: () => ({ meta: [{ title: 'My lists' }] }),
  component: MyListsScreen,
})
