import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  type Message,
  markThreadRead,
} from '#contract/messages.ts'
import { call } from '#web/api/client.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { justFetchedMs } from '#web/api/query-client.ts'
import { type Conversation, withMessages } from './conversation.ts'

const conversations = ['conversations'] as const
const threads = ['threads'] as const
/** Pages with missed messages to fetch. If more were missed, the conversation starts again at the latest messages. */
const maxMissedPages = 5

/** Defines the query of the conversation with another member. */
export function conversationQuery(otherId: number) {
  return queryOptions({
    queryKey: [...conversations, otherId],
    queryFn: ({ client, signal }) => fetchConversation(client, otherId, signal),
    staleTime: justFetchedMs,
  })
}

function cached(client: QueryClient, otherId: number): Conversation | undefined {
  return client.getQueryData(conversationQuery(otherId).queryKey)
}

/** Changes the cached conversation. Unlike `setQueryData` it keeps the status `error`, so that polling continues. */
function updateConversation(
  client: QueryClient,
  otherId: number,
  change: (conversation: Conversation) => Partial<Conversation>,
) {
  const query = client.getQueryCache().find<Conversation>({ queryKey: conversationQuery(otherId).queryKey })
  const data = query?.state.data
  if (data !== undefined) query?.setState({ data: { ...data, ...change(data) } })
}

/** Fetches the messages after the cached ones, or the latest messages. */
async function fetchConversation(
  client: QueryClient,
  otherId: number,
  signal: AbortSignal,
): Promise<Conversation> {
  return (await fetchMissed(client, otherId, signal)) ?? fetchLatest(client, otherId, signal)
}

/** Fetches the missed messages. Returns undefined if no conversation is cached or too many were missed. */
async function fetchMissed(
  client: QueryClient,
  otherId: number,
  signal: AbortSignal,
): Promise<Conversation | undefined> {
  const missing: Message[] = []
  let syncedUpTo = cached(client, otherId)?.syncedUpTo
  let after = syncedUpTo && Math.min(syncedUpTo, beforeUnread(client, otherId))
  let missedPages = 0
  while (syncedUpTo !== undefined && after !== undefined && missedPages < maxMissedPages) {
    const query = { limit: limits.page.max, after }
    const page = await call(client, listMessages, { params: { id: otherId }, query }, { signal })
    missing.push(...page)
    after = page.at(-1)?.id ?? after
    syncedUpTo = Math.max(syncedUpTo, after)
    // Keep the messages that events have added to the cache in the meantime.
    const { messages, hasOlder } = cached(client, otherId) ?? { messages: [], hasOlder: false }
    if (page.length < limits.page.max)
      return { messages: withMessages(messages, missing), hasOlder, syncedUpTo }
    const cachedIds = new Set(messages.map(({ id }) => id))
    if (!page.every(({ id }) => cachedIds.has(id))) missedPages += 1
  }
  return undefined
}

/** Returns the id before the member's last message if it is unread, so that its state is fetched again. Otherwise infinity. */
function beforeUnread(client: QueryClient, otherId: number): number {
  const recent = cached(client, otherId)?.messages.slice(-limits.page.max)
  const own = recent?.findLast(({ sender_id }) => sender_id !== otherId)
  return own === undefined || own.is_read ? Number.POSITIVE_INFINITY : own.id - 1
}

/** Fetches the latest messages. Keeps newer ones that events have added to the cache in the meantime. */
async function fetchLatest(client: QueryClient, otherId: number, signal: AbortSignal): Promise<Conversation> {
  const query = { limit: limits.messages }
  const latest = await call(client, listMessages, { params: { id: otherId }, query }, { signal })
  const syncedUpTo = latest.at(-1)?.id ?? 0
  const newer = cached(client, otherId)?.messages.filter(({ id }) => id > syncedUpTo) ?? []
  return {
    messages: withMessages(latest, newer),
    hasOlder: latest.length === limits.messages,
    syncedUpTo,
  }
}

/**
 * Refetches open conversations after events may have been missed. A running first fetch is not repeated by the invalidation, and its
 * response may be older than the events, so it is refetched afterwards.
 */
export function resyncConversations(client: QueryClient) {
  const invalidate = (queryKey: QueryKey) => client.invalidateQueries({ queryKey })
  for (const query of client.getQueryCache().findAll({ queryKey: conversations, fetchStatus: 'fetching' }))
    query.promise?.then(() => invalidate(query.queryKey)).catch(() => undefined)
  void invalidate(conversations)
}

/** Adds the page of messages before the first cached one. */
export async function loadOlder(client: QueryClient, otherId: number): Promise<void> {
  const first = cached(client, otherId)?.messages[0]
  if (first === undefined) return
  const query = { limit: limits.messages, before: first.id }
  const older = await call(client, listMessages, { params: { id: otherId }, query })
  updateConversation(client, otherId, ({ messages }) => ({
    messages: withMessages(older, messages),
    hasOlder: older.length === limits.messages,
  }))
}

/** Adds a message of an event to its conversation, if that is cached or once it is fetched: the response may be older. */
export function addMessage(client: QueryClient, otherId: number, message: Message) {
  const add = () =>
    updateConversation(client, otherId, ({ messages }) => ({ messages: withMessages(messages, [message]) }))
  const { queryKey } = conversationQuery(otherId)
  const query = client.getQueryCache().find<Conversation>({ queryKey })
  if (query?.state.data === undefined) query?.promise?.then(add).catch(() => undefined)
  else add()
}

/** The query of the number of unread messages. */
export const unreadQuery = endpointQuery(
  [...threads, 'unread'],
  countUnreadMessages,
  {},
  { staleTime: justFetchedMs },
)

/** Defines the query of the conversations, latest first. `q` searches names and previews. */
export function threadPagesQuery(q: string | undefined) {
  return infiniteListOptions(
    [...threads, 'pages', q ?? null],
    listThreads,
    { query: { q } },
    { staleTime: 0 },
  )
}

/** Invalidates the list of conversations and the unread count. */
export function invalidateThreads(client: QueryClient) {
  return client.invalidateQueries({ queryKey: threads })
}

/** Marks the messages of the other member as read, on the server and in the cache. */
export async function markConversationRead(client: QueryClient, otherId: number): Promise<void> {
  // A message that arrives during the call may be unread on the server.
  const lastId = cached(client, otherId)?.messages.at(-1)?.id ?? 0
  await call(client, markThreadRead, { params: { id: otherId } })
  updateConversation(client, otherId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.sender_id === otherId && message.id <= lastId ? { ...message, is_read: true } : message,
    ),
  }))
  await invalidateThreads(client)
}

/** Marks the messages to the reader up to an id as read in the cache. */
export function markMessagesRead(client: QueryClient, otherId: number, readerId: number, lastId: number) {
  updateConversation(client, otherId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.receiver_id === readerId && message.id <= lastId ? { ...message, is_read: true } : message,
    ),
  }))
}
