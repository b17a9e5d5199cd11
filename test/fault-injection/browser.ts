// A member's page, in a thread of its own: the web client's modules as they are, without its looks.
import './browser-globals.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { QueryObserver } from '@tanstack/react-query'
import { pollMs } from '#contract/constants.ts'
import type { Message } from '#contract/messages.ts'
import { createBrowserContext } from '#web/browser-context.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import {
  conversationQuery,
  pollUnless,
  readThread,
  unreadQuery,
} from '#web/features/messages/message-queries.ts'
import { createOutbox } from '#web/features/messages/outbox.ts'
import type { Order, PageSetup, Shown } from './page.ts'

const { otherId, reads } = workerData as PageSetup
const app = createBrowserContext()
const { queryClient, connection } = app
const outbox = createOutbox(app)
/** How soon a member taps on what could not be sent. */
const tapMs = 2000

let close = () => {}
let shown: readonly Message[] = []
let reading = false

/** The conversation from the start, as when its screen is opened. */
function open() {
  close()
  queryClient.removeQueries({ queryKey: conversationQuery(otherId).queryKey })
  shown = []
  const options = () => ({
    ...conversationQuery(otherId),
    refetchInterval: pollUnless(connection.connected.get(), pollMs.threads),
  })
  const observer = new QueryObserver(queryClient, options())
  const poll = () => observer.setOptions(options())
  const watching = setInterval(poll, tapMs)
  const stop = observer.subscribe(({ data }) => data && show(data.messages))
  close = () => {
    clearInterval(watching)
    stop()
  }
}

/** Checks a list of messages as a member would see it, at any time. */
function show(messages: readonly Message[]) {
  for (const [index, { id }] of messages.entries()) {
    const before = messages[index - 1]
    if (before && before.id >= id) complain(`shows message ${id} after ${before.id}`)
  }
  const ids = new Set(messages.map(({ id }) => id))
  for (const { id, content } of shown) if (!ids.has(id)) complain(`no longer shows message ${id}: ${content}`)
  shown = messages
  void read()
}

async function read() {
  if (!reads || reading || !shown.some(({ sender_id, is_read }) => sender_id === otherId && !is_read)) return
  reading = true
  await readThread(queryClient, otherId).catch(() => undefined)
  reading = false
}

function complain(complaint: string) {
  parentPort?.postMessage({ complaint })
}

async function look(): Promise<Shown> {
  const unread = await queryClient
    .fetchQuery({ ...unreadQuery, staleTime: 0, retry: false })
    .catch(() => undefined)
  const busy = queryClient.isFetching({ queryKey: conversationQuery(otherId).queryKey }) > 0
  return {
    messages: shown.map(({ id, sender_id, content }) => ({ id, sender_id, content })),
    unread,
    quiet: connection.connected.get() && !busy && !reading,
  }
}

parentPort?.on('message', async (order: Order) => {
  if (order.do === 'write') outbox.post(otherId, order.content)
  else if (order.do === 'open') open()
  else parentPort?.postMessage({ seen: await look() })
})

setInterval(() => outbox.retry(otherId), tapMs)
connection.on('connected', () => void read())
subscribeToMessages(app, outbox)
connection.connect()
parentPort?.postMessage({ ready: true })
