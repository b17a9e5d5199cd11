// Runs the web client's messaging modules without its UI in a worker thread, like one page of a member.
import './browser-globals.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { QueryObserver } from '@tanstack/react-query'
import { pollMs } from '#contract/constants.ts'
import type { Message, NewMessage } from '#contract/messages.ts'
import { createBrowserContext } from '#web/context/browser-context.ts'
import { subscribeToMessages } from '#web/features/messages/live-messages.ts'
import {
  conversationQuery,
  markConversationRead,
  unreadQuery,
} from '#web/features/messages/message-queries.ts'
import { createOutbox } from '#web/features/messages/outbox.ts'
import { pollUnless } from '#web/realtime/poll-unless.ts'
import { createSocket } from '#web/realtime/socket.ts'
import type { Command, PageSetup, PageState } from './page.ts'

const { otherId, reads } = workerData as PageSetup
const app = createBrowserContext()
const { queryClient, connection } = app
const outbox = createOutbox({
  ...app,
  connection: {
    ...connection,
    async send(message: NewMessage) {
      const response = await connection.send(message)
      if (!response.ok) parentPort?.postMessage({ refusal: response })
      return response
    },
  },
})
/** The pause before a member retries unsent messages. */
const retryMs = 2000

let close = () => {}
let shown: readonly Message[] = []
let isReading = false

/** Opens the conversation like its screen does. */
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
  const watching = setInterval(poll, retryMs)
  const stop = observer.subscribe(({ data }) => data && show(data.messages))
  close = () => {
    clearInterval(watching)
    stop()
  }
}

/** Reports messages that are out of order or have disappeared since the last call. */
function show(messages: readonly Message[]) {
  for (const [index, { id }] of messages.entries()) {
    const before = messages[index - 1]
    if (before && before.id >= id) report(`shows message ${id} after ${before.id}`)
  }
  const ids = new Set(messages.map(({ id }) => id))
  for (const { id, content } of shown) if (!ids.has(id)) report(`no longer shows message ${id}: ${content}`)
  shown = messages
  void read()
}

async function read() {
  if (!reads || isReading || !shown.some(({ sender_id, is_read }) => sender_id === otherId && !is_read))
    return
  isReading = true
  await markConversationRead(queryClient, otherId).catch(() => undefined)
  isReading = false
}

function report(violation: string) {
  parentPort?.postMessage({ violation })
}

async function readState(): Promise<PageState> {
  const unread = await queryClient
    .fetchQuery({ ...unreadQuery, staleTime: 0, retry: false })
    .catch(() => undefined)
  const busy = queryClient.isFetching({ queryKey: conversationQuery(otherId).queryKey }) > 0
  return {
    messages: shown.map(({ id, sender_id, content }) => ({ id, sender_id, content })),
    unread,
    quiet: connection.connected.get() && !busy && !isReading,
  }
}

parentPort?.on('message', async (command: Command) => {
  if (command.type === 'write') outbox.post(otherId, command.content)
  else if (command.type === 'open') open()
  else parentPort?.postMessage({ state: await readState() })
})

setInterval(() => outbox.retry(otherId), retryMs)
const { socket } = createSocket(app.login)
connection.use(socket)
socket.on('connect', () => void read())
subscribeToMessages(app, socket, outbox)
socket.connect()
parentPort?.postMessage({ ready: true })
