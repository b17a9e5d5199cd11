import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { threadPagesQuery } from '#web/features/messages/message-queries.ts'
import { NoConversation } from '#web/features/messages/no-conversation.tsx'

export const Route = createFileRoute('/_members/messages/')({
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchList(context.queryClient, threadPagesQuery(deps.q)),
  staticData: { title: msg`Messages` },
  component: NoConversation,
})
