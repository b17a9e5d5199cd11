import { useHydrated } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { createContext, useContext } from 'react'
import { type Message, sendMessage } from '#contract/messages.ts'
import { ApiError, isClientIdReused } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { rejectOnAbort } from '#web/api/reject-on-abort.ts'
import type { AppContext } from '#web/context/app-context.ts'
import type { PhotoList } from '#web/features/images/photo-list.ts'
import { useStoredLogin } from '#web/login/login-store.ts'
import { painted } from '#web/ui/painted.ts'
import { addMessage, invalidateThreads, resyncConversations } from './message-queries.ts'
import {
  createUnsentStore,
  newUnsent,
  resumed,
  retried,
  type Unsent,
  type UnsentStore,
  withFailure,
} from './unsent-messages.ts'

/** The broadcast channel of the `client_id`s of messages that the member has removed. */
const removedChannel = 'removed-messages'

type Dependencies = Pick<AppContext, 'queryClient' | 'login' | 'connection'>

export type Outbox = ReturnType<typeof createOutbox>

/** Sends the messages of the member who is logged in. */
export function createOutbox(app: Dependencies) {
  const store = createUnsentStore(app.login)
  const photoLists = new Map<string, PhotoList>()
  const { deliver, redeliver, discard } = createDelivery(app, store, photoLists)
  const { state, get, update } = store

  return {
    state,
    /** The photos of messages that are being written or are unsent, by the names of their drafts. */
    photoLists,
    /** Shows, stores and sends a message. Failed messages to the same member are sent before it, so that the order is kept. */
    post(receiver_id: number, content: string, listing?: Unsent['listing'], photos?: Unsent['photos']) {
      const message = newUnsent(receiver_id, content, listing, photos)
      update((messages) => [
        ...messages.map((message) => (message.receiver_id === receiver_id ? resumed(message) : message)),
        message,
      ])
      void deliver(receiver_id)
    },
    /** Sends the unsent messages to a member again, also refused ones. */
    retry(receiver_id: number) {
      update((messages) =>
        messages.map((message) => (message.receiver_id === receiver_id ? retried(message) : message)),
      )
      redeliver(receiver_id)
    },
    /** Removes a message that was sent, also by another tab. */
    discard,
    /** Removes a message that the member no longer wants to send, in all tabs. */
    remove(client_id: string) {
      discard(client_id)
      // Not known from local storage: a concurrent write of another tab may drop a message that is being sent.
      const tabs = new BroadcastChannel(removedChannel)
      tabs.postMessage(client_id)
      tabs.close()
    },
    /** Removes what the member removes in other tabs. Returns a function that stops it. */
    followOtherTabs() {
      const tabs = new BroadcastChannel(removedChannel)
      tabs.onmessage = ({ data }) => discard(data)
      return () => tabs.close()
    },
    /** Sends all unsent messages again, except for those that the server refused. */
    resume() {
      update((messages) => messages.map(resumed))
      for (const { receiver_id } of get()) void deliver(receiver_id)
    },
  }
}

/** Sends the stored messages to each receiver in their order. */
function createDelivery(app: Dependencies, store: UnsentStore, photoLists: Map<string, PhotoList>) {
  const { get } = store
  const { attempt, abort, discard } = createAttempts(app, store, photoLists)
  /** The receivers of running deliveries. A receiver has one at a time. */
  const delivering = new Set<number>()

  async function deliver(receiver: number): Promise<void> {
    if (delivering.has(receiver)) return
    delivering.add(receiver)
    try {
      // The message is shown and stored already. Paint it before sending.
      await painted()
      for (;;) {
        const next = get().find(({ receiver_id, state }) => receiver_id === receiver && state === 'sending')
        if (next === undefined) return
        await attempt(next)
      }
    } finally {
      delivering.delete(receiver)
    }
  }

  /** Sends the messages to a member again. Aborts a running attempt. */
  function redeliver(receiver: number) {
    for (const { client_id, receiver_id } of get()) if (receiver_id === receiver) abort(client_id)
    void deliver(receiver)
  }

  return { deliver, redeliver, discard }
}

/** Sends single messages. A discarded one is no longer sent. */
function createAttempts(app: Dependencies, { get, update }: UnsentStore, photoLists: Map<string, PhotoList>) {
  /** The running attempts to send a message, by `client_id`. */
  const controllers = new Map<string, AbortController>()

  function abort(client_id: string) {
    controllers.get(client_id)?.abort()
  }

  /** Sends a message and discards it, or shows why it was not sent. */
  async function attempt(message: Unsent) {
    const controller = new AbortController()
    const { signal } = controller
    controllers.set(message.client_id, controller)
    const sender = app.login.get()?.user.id
    /** Ends the attempt if another member has logged in meanwhile. */
    const requireSender = () => {
      if (app.login.get()?.user.id !== sender) controller.abort()
      signal.throwIfAborted()
    }
    try {
      await uploadPhotos(app, photoLists, message, signal, async (image_ids) => {
        const sent = await send(app, message, { signal, image_ids, requireSender })
        requireSender()
        addMessage(app.queryClient, message.receiver_id, sent)
        discard(message.client_id)
      })
      void invalidateThreads(app.queryClient)
    } catch (failure) {
      if (signal.aborted) return
      // Another tab has restored the message, and has sent it with its own copies of the photos.
      if (message.photos !== undefined && isClientIdReused(failure)) {
        discard(message.client_id)
        resyncConversations(app.queryClient)
      } else update((messages) => withFailure(messages, message, failure))
    } finally {
      controllers.delete(message.client_id)
    }
  }

  function discard(client_id: string) {
    const discarded = get().find((message) => message.client_id === client_id)
    if (discarded === undefined) return
    discardPhotos(photoLists, discarded)
    update((messages) => messages.filter((message) => message !== discarded))
    abort(client_id)
  }

  return { attempt, abort, discard }
}

function discardPhotos(photoLists: Map<string, PhotoList>, { photos }: Unsent) {
  if (photos === undefined) return
  photoLists.get(photos.draft)?.discard()
  photoLists.delete(photos.draft)
}

/** Uploads the photos of a message and calls `send` with their ids. */
async function uploadPhotos(
  app: Dependencies,
  photoLists: Map<string, PhotoList>,
  { photos }: Unsent,
  signal: AbortSignal,
  send: (image_ids?: number[]) => Promise<void>,
) {
  if (photos === undefined) return send()
  const { sendPhotos } = await import('./send-photos.ts')
  await sendPhotos(app, photoLists, photos, { send, signal })
}

interface Attempt {
  readonly signal: AbortSignal
  readonly image_ids: number[] | undefined
  readonly requireSender: () => void
}

/** Sends a message by the socket. Without a connection, or if the socket does not answer, sends it by HTTP. */
async function send(
  { queryClient, connection }: Dependencies,
  { receiver_id, content, client_id, listing }: Unsent,
  { signal, image_ids, requireSender }: Attempt,
): Promise<Message> {
  requireSender()
  const about = listing !== undefined && { listing_id: listing.id }
  const body = { receiver_id, content, client_id, ...about, ...(image_ids && { image_ids }) }
  const acknowledged = connection.connected.get() ? connection.send(body).catch(() => undefined) : undefined
  const response = await Promise.race([acknowledged, rejectOnAbort(signal)])
  requireSender()
  if (response === undefined) return call(queryClient, sendMessage, { body }, { signal })
  if (response.ok) return response.message
  throw new ApiError({ status: response.status, detail: response.detail, code: response.code })
}

const OutboxContext = createContext<Outbox | undefined>(undefined)
export const OutboxProvider = OutboxContext.Provider

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext)
  if (outbox === undefined) throw new Error('There is no OutboxProvider around this component')
  return outbox
}

/** Returns the unsent messages to a member. Returns none on the server and during hydration. */
export function useUnsent(receiver: number): readonly Unsent[] {
  const id = useStoredLogin()?.user.id
  const { member, messages } = useSelector(useOutbox().state)
  const isHydrated = useHydrated()
  return isHydrated && member === id ? messages.filter(({ receiver_id }) => receiver_id === receiver) : []
}
