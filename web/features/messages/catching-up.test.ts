import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'

const browserWindow = { addEventListener() {}, removeEventListener() {} }
/** The query cache looks once, when it is loaded, whether it is in a browser, where alone it asks again by itself. */
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
  client_id: crypto.randomUUID(),
})

/** Answers the calls of Ann's browser, or rejects them. */
let network: (url: URL, init: RequestInit) => Promise<Response>

beforeEach(() => {
  const login = { token: 'a token', user: { id: ann, username: 'ann' }, expiresAt: Date.now() + 1e6 }
  const kept = new Map([['auth', JSON.stringify(login)]])
  vi.stubGlobal('window', browserWindow)
  vi.stubGlobal('location', new URL('https://rhubarb.test'))
  for (const [name, value] of Object.entries(browserWindow)) vi.stubGlobal(name, value)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
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

/** A tab of Ann's browser. */
async function openBrowser() {
  const { createBrowserContext } = await import('#web/browser-context.ts')
  return createBrowserContext()
}

async function openOutbox() {
  const { createOutbox } = await import('./outbox.ts')
  return createOutbox(await openBrowser())
}

/** Ann's screen of her conversation with Bob. */
async function openConversation() {
  const { queryClient } = await openBrowser()
  const queries = await import('./message-queries.ts')
  const observer = new QueryObserver(queryClient, {
    ...queries.conversationQuery(bob),
    refetchInterval: queries.pollUnless(true, 20),
  })
  observer.subscribe(() => {})
  return {
    hears: (message: Message) => queries.addMessage(queryClient, bob, message),
    catchesUp: () => observer.refetch(),
    connects: () => queries.resyncConversations(queryClient),
    shown: () => observer.getCurrentResult().data?.messages.map(({ id }) => id),
  }
}

/** The server's side of the conversation. */
function answering(stored: readonly Message[]) {
  return async ({ searchParams }: URL) => {
    const after = searchParams.get('after')
    const limit = Number(searchParams.get('limit'))
    if (after === null) return Response.json(stored.slice(-limit))
    return Response.json(stored.filter(({ id }) => id > Number(after)).slice(0, limit))
  }
}

test('a message that is told while the conversation is first asked for is shown', async () => {
  const answer = Promise.withResolvers<Response>()
  network = () => answer.promise
  const screen = await openConversation()

  screen.hears(fromBob(3))
  screen.hears(fromBob(2))
  answer.resolve(Response.json([fromBob(1)]))

  await eventually(() => expect(screen.shown()).toEqual([1, 2, 3]))
})

test('what is stored between the first answer and the connection is shown, though nobody could tell it', async () => {
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  let asked = 0
  network = () => answers[asked++]?.promise ?? Promise.reject(new TypeError('fetch failed'))
  const screen = await openConversation()

  screen.connects()
  answers[0]?.resolve(Response.json([fromBob(1)]))
  answers[1]?.resolve(Response.json([fromBob(1), fromBob(2)]))

  await eventually(() => expect(screen.shown()).toEqual([1, 2]))
})

test('in a conversation that begins now, nothing that was shown goes away', async () => {
  const stored: Message[] = []
  network = answering(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([]))
  stored.push(...Array.from({ length: 120 }, (_, index) => fromBob(index + 1)))
  for (const message of stored) screen.hears(message)

  await screen.catchesUp()

  expect(screen.shown()).toEqual(stored.map(({ id }) => id))
})

test('however much was heard since it was last asked for, nothing that was shown goes away', async () => {
  const stored = [fromBob(1)]
  network = answering(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  stored.push(...Array.from({ length: 700 }, (_, index) => fromBob(index + 2)))
  for (const message of stored) screen.hears(message)

  await screen.catchesUp()

  expect(screen.shown()).toEqual(stored.map(({ id }) => id))
})

test('who was away for long begins anew at the latest messages', async () => {
  const stored = [fromBob(1)]
  network = answering(stored)
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  stored.push(...Array.from({ length: 700 }, (_, index) => fromBob(index + 2)))

  await screen.catchesUp()

  expect(screen.shown()).toEqual(stored.slice(-50).map(({ id }) => id))
})

test('a question that nobody answered is asked again, also while the connection stands', async () => {
  network = answering([fromBob(1)])
  const screen = await openConversation()
  await eventually(() => expect(screen.shown()).toEqual([1]))
  network = async () => new Response(null, { status: 400 })
  await screen.catchesUp()
  screen.hears(fromBob(3))

  network = answering([fromBob(1), fromBob(2), fromBob(3)])

  await eventually(() => expect(screen.shown()).toEqual([1, 2, 3]))
})

test('what is written after a message that failed goes after it', async () => {
  const { post } = await openOutbox()
  const tried: string[] = []
  let away = true
  network = async (_url, { body }) => {
    const { content } = JSON.parse(String(body))
    tried.push(content)
    if (away) throw new TypeError('fetch failed')
    return Response.json({ ...fromBob(tried.length), sender_id: ann, receiver_id: bob, content })
  }

  post(bob, 'one')
  await eventually(() => expect(localStorage.getItem('draft:1:outbox')).toContain('failed'))
  away = false
  post(bob, 'two')

  await eventually(() => expect(localStorage.getItem('draft:1:outbox')).toBeNull())
  expect(tried.filter((content) => content === 'one' || content === 'two')).toEqual(['one', 'one', 'two'])
})

test('what another tab could not send stays kept, whatever this one writes', async () => {
  network = async () => {
    throw new TypeError('fetch failed')
  }
  const kept = () => localStorage.getItem('draft:1:outbox') ?? ''
  const first = await openOutbox()
  first.resume()
  const second = await openOutbox()
  second.resume()

  first.post(bob, 'written in the first')
  second.post(bob, 'written in the second')

  await eventually(() => expect(kept().match(/failed/g)).toHaveLength(2))
  expect(kept()).toContain('written in the first')
  expect(kept()).toContain('written in the second')
})
