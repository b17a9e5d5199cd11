import { createFileRoute } from '@tanstack/react-router'
import { readWords } from '#web/features/listings/market-search.ts'
import { threadPagesQuery } from '#web/features/messages/message-queries.ts'
import { ThreadsScreen } from '#web/features/messages/threads-screen.tsx'

export const Route = createFileRoute('/_members/messages/')({
  validateSearch: readWords,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(threadPagesQuery(deps.q))
  },
  staticData: { title: 'Messages' },
  component: ThreadsScreen,
})
