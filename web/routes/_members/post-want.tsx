import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { PostWantScreen } from '#web/features/wants/post-want-screen.tsx'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'
import { parseWantSearch } from '#web/features/wants/want-search.ts'

export const Route = createFileRoute('/_members/post-want')({
  validateSearch: parseWantSearch,
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(myWantsQuery)
  },
  staticData: { title: msg`Wish list` },
  component: PostWantScreen,
})
