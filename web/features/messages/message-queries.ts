import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/constants.ts'
import {
  countUnreadMessages,
  listMessages,
  listThreads,
  type Message,
  markThreadRead,
} from '#contract/messages.ts'
import { call, callPage } from '#web/api/client.ts'
import { justAskedMs, queryClient } from '#web/api/query-client.ts'
import { type Conversation, withMessages } from './conversation.ts'

const conversations = ['conversations'] as const
const threads = ['threads'] as const
const firstPage = ''
const pageSize = 50
/** Pages that bring something unheard. Who was away for longer than this begins anew at the latest messages. */
const mostCatchUps = 5

export function conversationQuery(otherId: number) {
  return queryOptions({
    queryKey: [...conversations, otherId],
    queryFn: ({ signal }) => readConversation(otherId, signal),
    staleTime: justAskedMs,
  })
}

const known = (otherId: number): Conversation | undefined =>
  queryClient.getQueryData(conversationQuery(otherId).queryKey)

/** Changes what is known. Unlike `setQueryData` it leaves a question that failed failed, so that it is asked again. */
function change(otherId: number, to: (conversation: Conversation) => Partial<Conversation>) {
  const query = queryClient
    .getQueryCache()
    .find<Conversation>({ queryKey: conversationQuery(otherId).queryKey })
  const data = query?.state.data
  if (data !== undefined) query?.setState({ data: { ...data, ...to(data) } })
}

/** The latest messages, or what is missing after those that are known. */
async function readConversation(otherId: number, signal: AbortSignal): Promise<Conversation> {
  return (await catchUp(otherId, signal)) ?? begin(otherId, signal)
}

/** Nothing when nothing is known yet, or too much is missing. */
async function catchUp(otherId: number, signal: AbortSignal): Promise<Conversation | undefined> {
  const missing: Message[] = []
  let heldTo = known(otherId)?.heldTo
  for (let away = 0; heldTo !== undefined && away < mostCatchUps; ) {
    const query = { limit: limits.page.max, after: heldTo }
    const page = await call(listMessages, { params: { id: otherId }, query }, { signal })
    missing.push(...page)
    heldTo = page.at(-1)?.id ?? heldTo
    // What was told meanwhile is known by now, and stays.
    const { messages, hasOlder } = known(otherId) ?? { messages: [], hasOlder: false }
    if (page.length < limits.page.max) return { messages: withMessages(messages, missing), hasOlder, heldTo }
    const heard = new Set(messages.map(({ id }) => id))
    if (!page.every(({ id }) => heard.has(id))) away += 1
  }
  return undefined
}

/** Takes what is told while a conversation is first asked for: the answer may have left before. */
interface Beginning {
  readonly otherId: number
  readonly told: Message[]
}
const beginnings = new Set<Beginning>()

/** How often something may have gone unheard. */
let lapses = 0

async function begin(otherId: number, signal: AbortSignal): Promise<Conversation> {
  const beginning: Beginning = { otherId, told: [] }
  beginnings.add(beginning)
  try {
    for (;;) {
      const before = lapses
      const query = { limit: pageSize }
      const latest = await call(listMessages, { params: { id: otherId }, query }, { signal })
      // The answer may be older than what went unheard while it was on its way.
      if (before !== lapses) continue
      const heldTo = latest.at(-1)?.id ?? 0
      const heard = [...(known(otherId)?.messages ?? []), ...beginning.told].filter(({ id }) => id > heldTo)
      const messages = heard.reduce<readonly Message[]>(
        (all, message) => withMessages(all, [message]),
        latest,
      )
      return { messages, hasOlder: latest.length === pageSize, heldTo }
    }
  } finally {
    beginnings.delete(beginning)
  }
}

/** What went unheard is asked for: each conversation that is open catches up. */
export function catchUpAll() {
  lapses += 1
  void queryClient.invalidateQueries({ queryKey: conversations })
}

export async function loadOlder(otherId: number): Promise<void> {
  const first = known(otherId)?.messages[0]
  if (first === undefined) return
  const query = { limit: pageSize, before: first.id }
  const older = await call(listMessages, { params: { id: otherId }, query })
  change(otherId, ({ messages }) => ({
    messages: withMessages(older, messages),
    hasOlder: older.length === pageSize,
  }))
}

/** Shows a message where its conversation is known, or asked for. */
export function keepMessage(otherId: number, message: Message) {
  for (const beginning of beginnings) if (beginning.otherId === otherId) beginning.told.push(message)
  change(otherId, ({ messages }) => ({ messages: withMessages(messages, [message]) }))
}

/** Asks again and again unless the connection brings what is new, and the last question was answered. */
export function pollUnless(connected: boolean, ms: number) {
  return ({ state }: { readonly state: { readonly status: string } }) =>
    connected && state.status !== 'error' ? (false as const) : ms
}

export const unreadQuery = queryOptions({
  queryKey: [...threads, 'unread'],
  queryFn: ({ signal }) => call(countUnreadMessages, {}, { signal }),
  staleTime: justAskedMs,
})

/** The conversations, latest first; the words find names and previews. */
export function threadPagesQuery(q: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...threads, 'pages', q ?? null],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === firstPage ? undefined : pageParam
      return callPage(listThreads, { query: { q, cursor } }, { signal })
    },
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
}

/** Asks anew for what a message changes besides its conversation: the list and the badge. */
export function renewThreads() {
  return queryClient.invalidateQueries({ queryKey: threads })
}

export async function readThread(otherId: number): Promise<void> {
  await call(markThreadRead, { params: { id: otherId } })
  change(otherId, ({ messages }) => ({
    messages: messages.map((message) =>
      message.sender_id === otherId ? { ...message, is_read: true } : message,
    ),
  }))
  await renewThreads()
}
