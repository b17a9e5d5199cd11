import { t } from '@lingui/core/macro'
import { createFileRoute, redirect } from '@tanstack/react-router'
import type { PublicMember } from '#contract/members.ts'
import { useQueryState } from '#web/api/use-query-state.ts'
import { publicMemberKey } from '#web/features/members/public-member-key.ts'
import { publicMemberQuery } from '#web/features/members/public-member-query.ts'
import { ConversationScreen } from '#web/features/messages/conversation-screen.tsx'
import { conversationQuery } from '#web/features/messages/message-queries.ts'
import { memberTradesQuery } from '#web/features/trades/trade-queries.ts'
import { Title } from '#web/ui/title.tsx'
import { isId } from '../-is-id.ts'

export const Route = createFileRoute('/_members/messages/$otherId')({
  params: {
    parse: ({ otherId }) => ({ otherId: Number(otherId) }),
    stringify: ({ otherId }) => ({ otherId: String(otherId) }),
  },
  beforeLoad: ({ context: { login }, params: { otherId } }) => {
    // There is no conversation with oneself.
    if (!isId(otherId) || otherId === login.get()?.user.id) throw redirect({ to: '/messages', replace: true })
  },
  loader: ({ context, params: { otherId } }) => {
    void context.queryClient.prefetchQuery(publicMemberQuery(otherId))
    void context.queryClient.prefetchQuery(conversationQuery(otherId))
    void context.queryClient.prefetchInfiniteQuery(memberTradesQuery(otherId))
  },
  staticData: { title: ConversationTitle },
  component: Conversation,
})

function ConversationTitle() {
  const { otherId } = Route.useParams()
  const member = useQueryState<PublicMember>(publicMemberKey(otherId))
  const isPending = member === undefined || member.status === 'pending'
  const name = member?.data?.username ?? t`User ${otherId}`
  return <Title name={isPending ? t`Conversation` : t`Chat with ${name}`} />
}

function Conversation() {
  return <ConversationScreen otherId={Route.useParams().otherId} />
}
