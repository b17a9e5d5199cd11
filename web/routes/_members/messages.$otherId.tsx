import { createFileRoute, redirect } from '@tanstack/react-router'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { ConversationScreen } from '#web/features/messages/conversation-screen.tsx'
import { conversationQuery } from '#web/features/messages/message-queries.ts'

export const Route = createFileRoute('/_members/messages/$otherId')({
  params: {
    parse: ({ otherId }) => ({ otherId: Number(otherId) }),
    stringify: ({ otherId }) => ({ otherId: String(otherId) }),
  },
  beforeLoad: ({ context: { login }, params: { otherId } }) => {
    const isMember = Number.isSafeInteger(otherId) && otherId > 0
    // Nobody has a conversation with themselves.
    if (!isMember || otherId === login.get()?.user.id) throw redirect({ to: '/messages', replace: true })
  },
  loader: ({ context, params: { otherId } }) => {
    void context.queryClient.prefetchQuery(publicMemberQuery(otherId))
    void context.queryClient.prefetchQuery(conversationQuery(otherId))
  },
  head: () => ({ meta: [{ title: 'Conversation · Rhubarb' }] }),
  component: Conversation,
})

function Conversation() {
  return <ConversationScreen otherId={Route.useParams().otherId} />
}
