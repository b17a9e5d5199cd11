import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { myListingsQuery } from '#web/features/listings/listing-queries.ts'
import { MyListsScreen } from '#web/features/listings/my-lists-screen.tsx'
import { myListsSearch } from '#web/features/listings/my-lists-search.ts'

export const Route = createFileRoute('/_members/my-listings')({
  validateSearch: myListsSearch,
  loader: () => {
    void queryClient.prefetchQuery(myListingsQuery)
  },
  head: () => ({ meta: [{ title: 'My lists' }] }),
  component: MyListsScreen,
})
