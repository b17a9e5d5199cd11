import { QueryObserver } from '@tanstack/react-query'
import { createAtom } from '@tanstack/react-store'
import { v4 as newUuid } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'

const browserWindow = { addEventListener() {}, removeEventListener() {} }
/** TanStack Query checks at import whether there is a window. It polls only in a browser. */
vi.hoisted(() => vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} }))

const ann = 1
const bob = 2

const fromBob = (id: number): Message => ({
  id,
  sender_id: bob,
  receiver_id: ann,
  content: `Message ${id}`,
  created_at: '2026-05-01T12:00:00.000Z',
  is_read: false,
  client_id: newUuid(),
  listing: null,
  trade_id: null,
  images: [],
})

/** Answers the calls of Ann's browser, or rejects them. */
let network: (url: URL, init: RequestInit) => Promise<Response>

beforeEach(() => {
  const login = { token: 'a token', user: { id: ann, username: 'ann' }, expiresAt: Date.now() + 1e6 }
  const storage = new Map([['auth', JSON.stringify(login)]])
  vi.stubGlobal('window', browserWindow)
  vi.stubGlobal('location', new URL('https://rhubarb.test'))
  for (const [name, value] of Object.entries(browserWindow)) vi.stubGlobal(name, value)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    network(new URL(path, 'https://rhubarb.test'), init),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Generous, so that a busy machine is no failure. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

/** Opens a tab of Ann's browser. */
async function openBrowser() {
  const { createBrowserContext } = await import('#web/context/browser-context.ts')
  return createBrowserContext()
}

async function openOutbox() {
  const { createOutbox } = await import('./outbox.ts')
  return createOutbox(await openBrowser())
}

/** Opens Ann's conversation with Bob. */
async function openConversation() {
  const { queryClient } = await openBrowser()
  const queries = await import('./message-queries.ts')
  const observer = new QueryObserver(queryClient, {
    ...queries.conversationQuery(bob),
    refetchInterval: pollUnless(true, 20),
  })
  observer.subscribe(() => {})
  return {
    receive: (message: Message) => queries.addMessage(queryClient, bob, message),
    refetch: () => observer.refetch(),
    reconnect: () => queries.resyncConversations(queryClient),
    markRead: () => queries.markConversationRead(queryClient, bob),
    shown: () => observer.getCurrentResult().data?.messages.map(({ id }) => id),
    unread: () =>
      observer.getCurrentResult().data?.messages.flatMap(({ id, is_read }) => (is_read ? [] : id)),
  }
}

/** Returns a network that answers with the stored messages, as the server does. */
function serving(stored: readonly Message[]) {
  return async ({ searchParams }: URL) => {
    const after = searchParams.get('after')
    const limit = Number(searchParams.get('limit'))
    if (after === null) return Response.json(stored.slice(-limit))
    return Response.json(stored.filter(({ id }) => id > Number(after)).slice(0, limit))
  }
}

test('shows messages that arrive by the socket during the first fetch', async () => {
  const body = Promise.withResolvers<Response>()
  network = () => body.promise
  const screen = await openConversation()

  screen.receive(fromBob(3))
  screen.receive(fromBob(2))
  body.resolve(Response.json([fromBob(1)]))

  await eventually(() => expect(screen.shown()).toEqual([1, 2, 3]))
})

test('shows a message that was stored between the first response and the connection of the socket', async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  let requests = 0
  network = () => answers[requests++]?.promise ?? Promise.reject(new TypeError('fetch failed'))
  const screen = await openConversation()

  screen.reconnect()
  answers[0]?.resolve(Response.json([fromBob(1)]))
  answers[1]?.resolve(Response.json([fromBob(1), fromBob(2)]))

  await eventually(() => expect(screen.shown()).toEqual([1, 2]))
})

test('keeps all shown messages of a new conversation after a refetch', async () => {
  const stored: Message[] = []
  network = serving(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([]))
  stored.push(...Array.from({ length: 120 }, (_, index) => fromBob(index + 1)))
  for (const message of stored) screen.receive(message)

  await screen.refetch()

  expect(screen.shown()).toEqual(stored.map(({ id }) => id))
})

test('keeps all shown messages after a refetch, however many arrived since the last one', async () => {
  const stored = [fromBob(1)]
  network = serving(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  stored.push(...Array.from({ length: 700 }, (_, index) => fromBob(index + 2)))
  for (const message of stored) screen.receive(message)

  await screen.refetch()

  expect(screen.shown()).toEqual(stored.map(({ id }) => id))
})

test('shows only the latest messages after more were missed than one page', async () => {
  const stored = [fromBob(1)]
  network = serving(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  stored.push(...Array.from({ length: 700 }, (_, index) => fromBob(index + 2)))

  await screen.refetch()

  expect(screen.shown()).toEqual(stored.slice(-50).map(({ id }) => id))
})

test('fetches missed messages again after a failed fetch, also while the socket is connected', async () => {
  network = serving([fromBob(1)])
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  network = async () => new Response(null, { status: 400 })
  await screen.refetch()
  screen.receive(fromBob(3))

  network = serving([fromBob(1), fromBob(2), fromBob(3)])

  await eventually(() => expect(screen.shown()).toEqual([1, 2, 3]))
})

test('keeps a message unread that arrives while earlier ones are being marked as read', async () => {
  const marked = Promise.withResolvers<Response>()
  network = async (url) =>
    url.pathname.endsWith('/mark-thread-read') ? marked.promise : serving([fromBob(1)])(url)
  const screen = await openConversation()
  await eventually(() => expect(screen.unread()).toEqual([1]))

  const done = screen.markRead()
  screen.receive(fromBob(2))
  marked.resolve(Response.json({ updated: 1 }))
  await done

  await eventually(() => expect(screen.unread()).toEqual([2]))
})

test('sends a failed message before one that was written after it', async () => {
  const { post } = await openOutbox()
  const tried: string[] = []
  let isOffline = true
  network = async (_url, { body }) => {
    const { content } = JSON.parse(String(body))
    tried.push(content)
    if (isOffline) throw new TypeError('fetch failed')
    return Response.json({ ...fromBob(tried.length), sender_id: ann, receiver_id: bob, content })
  }

  post(bob, 'one')
  await eventually(() => expect(localStorage.getItem('draft:1:outbox')).toContain('failed'))
  isOffline = false
  post(bob, 'two')

  await eventually(() => expect(localStorage.getItem('draft:1:outbox')).toBeNull())
  expect(tried.filter((content) => content === 'one' || content === 'two')).toEqual(['one', 'one', 'two'])
})

test('keeps the unsent messages of another tab', async () => {
  network = async () => {
    throw new TypeError('fetch failed')
  }
  const outbox = () => localStorage.getItem('draft:1:outbox') ?? ''
  const first = await openOutbox()
  first.resume()
  const second = await openOutbox()
  second.resume()

  first.post(bob, 'written in the first')
  second.post(bob, 'written in the second')

  await eventually(() => expect(outbox().match(/failed/g)).toHaveLength(2))
  expect(outbox()).toContain('written in the first')
  expect(outbox()).toContain('written in the second')
})

test('a message that is sent just after the login has ended is sent by the next login of its sender', async () => {
  const tokens: (string | null)[] = []
  network = async (_url, { headers }) => {
    tokens.push(new Headers(headers).get('authorization'))
    return Response.json(fromBob(1))
  }
  const app = await openBrowser()
  const { createOutbox } = await import('./outbox.ts')
  const outbox = createOutbox(app)
  const outboxOfAnn = () => localStorage.getItem('draft:1:outbox') ?? ''
  app.login.removeRefused('a token')
  outbox.post(bob, 'typed too late')
  await eventually(() => expect(outboxOfAnn()).toContain('failed'))

  app.login.store('a token of Cat', { id: 3, username: 'cat' })
  outbox.resume()
  expect(outbox.state.get().messages).toEqual([])
  app.login.store('a new token', { id: ann, username: 'ann' })
  outbox.resume()
  await eventually(() => expect(tokens).toEqual(['Bearer a new token']))
})

test('sends no message with the login of another member', async () => {
  const sent: unknown[] = []
  network = async (_url, { body, headers }) => {
    if (body !== null)
      sent.push([new Headers(headers).get('authorization'), JSON.parse(String(body)).content])
    return Response.json(fromBob(1))
  }
  const app = await openBrowser()
  const { createOutbox } = await import('./outbox.ts')
  const unanswered = Promise.withResolvers<never>()
  const send = vi.fn(() => unanswered.promise)
  const outbox = createOutbox({
    ...app,
    connection: { ...app.connection, connected: createAtom(true), send },
  })
  outbox.post(bob, 'from Ann')
  await eventually(() => expect(send).toHaveBeenCalledOnce())

  app.login.store('a token of Cat', { id: 3, username: 'cat' })
  unanswered.reject(new Error('The socket was closed'))
  outbox.post(bob, 'from Cat')
  await eventually(() => expect(sent).toContainEqual(['Bearer a token of Cat', 'from Cat']))
  expect(sent).toHaveLength(1)
  expect(localStorage.getItem('draft:1:outbox')).toContain('from Ann')
})
