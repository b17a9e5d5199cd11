import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  type Message,
  markThreadRead,
} from '#contract/messages.ts'
import { call, callPage } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { justFetchedMs } from '#web/api/query-client.ts'
import { type Conversation, withMessages } from './conversation.ts'

const conversations = ['conversations'] as const
const threads = ['threads'] as const
/** Pages that bring something unheard. Who was away for longer than this begins anew at the latest messages. */
const maxCatchUps = 5

export function conversationQuery(otherId: number) {
  return queryOptions({
    queryKey: [...conversations, otherId],
    queryFn: ({ client, signal }) => readConversation(client, otherId, signal),
    staleTime: justFetchedMs,
  })
}

const known = (client: QueryClient, otherId: number): Conversation | undefined =>
  client.getQueryData(conversationQuery(otherId).queryKey)

/** Changes what is known. Unlike `setQueryData` it leaves a question that failed failed, so that it is asked again. */
function change(
  client: QueryClient,
  otherId: number,
  to: (conversation: Conversation) => Partial<Conversation>,
) {
  const query = client.getQueryCache().find<Conversation>({ queryKey: conversationQuery(otherId).queryKey })
  const data = query?.state.data
  if (data !== undefined) query?.setState({ data: { ...data, ...to(data) } })
}

/** The latest messages, or what is missing after those that are known. */
async function readConversation(
  client: QueryClient,
  otherId: number,
  signal: AbortSignal,
): Promise<Conversation> {
  return (await catchUp(client, otherId, signal)) ?? begin(client, otherId, signal)
}

/** Returns undefined if no conversation is cached or too much is missing. */
async function catchUp(
  client: QueryClient,
  otherId: number,
  signal: AbortSignal,
): Promise<Conversation | undefined> {
  const missing: Message[] = []
  let heldTo = known(client, otherId)?.heldTo
  let after = heldTo && Math.min(heldTo, beforeUnread(client, otherId))
  for (let away = 0; heldTo !== undefined && after !== undefined && away < maxCatchUps; ) {
    const query = { limit: limits.page.max, after }
    const page = await call(client, listMessages, { params: { id: otherId }, query }, { signal })
    missing.push(...page)
    after = page.at(-1)?.id ?? after
    heldTo = Math.max(heldTo, after)
    // Messages that events brought meanwhile are in the cache, and stay.
    const { messages, hasOlder } = known(client, otherId) ?? { messages: [], hasOlder: false }
    if (page.length < limits.page.max) return { messages: withMessages(messages, missing), hasOlder, heldTo }
    const knownIds = new Set(messages.map(({ id }) => id))
    if (!page.every(({ id }) => knownIds.has(id))) away += 1
  }
  return undefined
}

/** The id before the member's last message, if the other side may have read it meanwhile. */
function beforeUnread(client: QueryClient, otherId: number): number {
  const recent = known(client, otherId)?.messages.slice(-limits.page.max)
  const own = recent?.findLast(({ sender_id }) => sender_id !== otherId)
  return own === undefined || own.is_read ? Number.POSITIVE_INFINITY : own.id - 1
}

/** The messages that were received while a conversation is first fetched: the response may have left before. */
const receivedKey = (otherId: number) => ['received', otherId] as const

/** Counts how often events may have been missed. */
const resyncsKey = ['resyncs'] as const

async function begin(client: QueryClient, otherId: number, signal: AbortSignal): Promise<Conversation> {
  const resyncs = () => client.getQueryData<number>(resyncsKey)
  const key = receivedKey(otherId)
  client.setQueryData<readonly Message[]>(key, [])
  try {
    for (;;) {
      const before = resyncs()
      const query = { limit: limits.messages }
      const latest = await call(client, listMessages, { params: { id: otherId }, query }, { signal })
      // The response may be older than the events that were missed while it was on its way.
      if (before !== resyncs()) continue
      const heldTo = latest.at(-1)?.id ?? 0
      const received = client.getQueryData<readonly Message[]>(key) ?? []
      const newer = [...(known(client, otherId)?.messages ?? []), ...received].filter(({ id }) => id > heldTo)
      const messages = newer.reduce<readonly Message[]>(
        (all, message) => withMessages(all, [message]),
        latest,
      )
      return { messages, hasOlder: latest.length === limits.messages, heldTo }
    }
  } finally {
    client.removeQueries({ queryKey: key })
  }
}

/** Fetches what may have been missed: each conversation that is open catches up. */
export function resyncConversations(client: QueryClient) {
  client.setQueryData<number>(resyncsKey, (count = 0) => count + 1)
  void client.invalidateQueries({ queryKey: conversations })
}

export async function loadOlder(client: QueryClient, otherId: number): Promise<void> {
  const first = known(client, otherId)?.messages[0]
  if (first === undefined) return
  const query = { limit: limits.messages, before: first.id }
  const older = await call(client, listMessages, { params: { id: otherId }, query })
  change(client, otherId, ({ messages }) => ({
    messages: withMessages(older, messages),
    hasOlder: older.length === limits.messages,
  }))
}

/** Shows a message where its conversation is known, or asked for. */
export function addMessage(client: QueryClient, otherId: number, message: Message) {
  client.setQueryData<readonly Message[]>(
    receivedKey(otherId),
    (received) => received && [...received, message],
  )
  change(client, otherId, ({ messages }) => ({ messages: withMessages(messages, [message]) }))
}

/** Asks again and again unless the connection brings what is new, and the last question was answered. */
export function pollUnless(connected: boolean, ms: number) {
  return ({ state }: { readonly state: { readonly status: string } }) =>
    connected && state.status !== 'error' ? (false as const) : ms
}

export const unreadQuery = queryOptions({
  queryKey: [...threads, 'unread'],
  queryFn: ({ client, signal }) => call(client, countUnreadMessages, {}, { signal }),
  staleTime: justFetchedMs,
})

/** The conversations, latest first; the words find names and previews. */
export function threadPagesQuery(q: string | undefined) {
  return infiniteListOptions(
    [...threads, 'pages', q ?? null],
    (client, cursor, signal) => callPage(client, listThreads, { query: { q, cursor } }, { signal }),
    { staleTime: 0 },
  )
}

/** Asks anew for what a message changes besides its conversation: the list and the badge. */
export function invalidateThreads(client: QueryClient) {
  return client.invalidateQueries({ queryKey: threads })
}

export async function readThread(client: QueryClient, otherId: number): Promise<void> {
  await call(client, markThreadRead, { params: { id: otherId } })
  change(client, otherId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.sender_id === otherId ? { ...message, is_read: true } : message,
    ),
  }))
  await invalidateThreads(client)
}

/** Shows as read what was written to the reader, up to a message. */
export function markRead(client: QueryClient, otherId: number, readerId: number, lastId: number) {
  change(client, otherId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.receiver_id === readerId && message.id <= lastId ? { ...message, is_read: true } : message,
    ),
  }))
}
