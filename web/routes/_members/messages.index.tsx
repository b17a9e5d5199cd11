import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { threadPagesQuery } from '#web/features/messages/message-queries.ts'
import { NoConversation } from '#web/features/messages/no-conversation.tsx'

export const Route = createFileRoute('/_members/messages/')({
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchInfiniteQuery(threadPagesQuery(deps.q))
  },
  staticData: { title: msg`Messages` },
  component: NoConversation,
})
