import type { QueryClient } from '@tanstack/react-query'
import { listWithdrawnSenders, type Message, type Thread } from '#contract/messages.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { createPersistedCache } from '#web/api/persisted-cache.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { conversationQuery } from './message-queries.ts'

const withdrawnQuery = endpointQuery(['withdrawn-senders'], listWithdrawnSenders, {}, { staleTime: 0 })

/**
 * Removes messages that the desk has withdrawn from what the browser keeps of conversations and their list, in the memory and for reading
 * offline. Fetches again what is on the screen, and conversations whose messages came back.
 */
export async function syncWithdrawn({
  queryClient,
  login,
}: Pick<AppContext, 'queryClient' | 'login'>): Promise<void> {
  const before = queryClient.getQueryData(withdrawnQuery.queryKey) ?? []
  const senders = new Set(await queryClient.fetchQuery(withdrawnQuery))
  const restored = before.filter((id) => !senders.has(id))
  await Promise.all([
    ...restored.map((id) => queryClient.resetQueries(conversationQuery(id))),
    senders.size > 0 && removeMessages(queryClient, login, senders),
  ])
}

async function removeMessages(
  client: QueryClient,
  login: AppContext['login'],
  senders: ReadonlySet<number>,
): Promise<void> {
  const isStale = (data: unknown) => messagesIn(data).some(({ sender_id }) => senders.has(sender_id))
  // First, because a changed query is persisted.
  const reset = client.resetQueries({ predicate: ({ state }) => isStale(state.data) })
  await createPersistedCache(login).remove(isStale)
  await reset
}

/** The data of queries with messages: conversations, and pages of the list of conversations. */
interface Held {
  readonly messages?: readonly Message[]
  readonly pages?: readonly { readonly items?: readonly Partial<Thread>[] }[]
}

/** Returns the messages in the data of any query. */
function messagesIn(data: unknown): readonly Message[] {
  if (typeof data !== 'object' || data === null) return []
  const { messages, pages }: Held = data
  const previews = pages?.flatMap(({ items }) => items?.flatMap((item) => item.last_message ?? []) ?? [])
  return messages ?? previews ?? []
}
