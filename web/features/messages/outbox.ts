import { useHydrated } from '@tanstack/react-router'
import { createAtom, type Readable, useSelector } from '@tanstack/react-store'
import { createContext, useContext } from 'react'
import { type Message, sendMessage } from '#contract/messages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/app-context.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
import { painted } from '#web/ui/painted.ts'
import { addMessage, invalidateThreads } from './message-queries.ts'
import {
  createUnsentStore,
  newUnsent,
  resumed,
  retried,
  type Unsent,
  type UnsentState,
  withFailure,
} from './unsent-messages.ts'
import { createUnsentPhotos, type KeyedFile } from './unsent-photos.ts'

/** Sends the messages of the member who is logged in. */
export interface Outbox {
  readonly state: Readable<UnsentState>
  /** Shows, stores and sends a message. Failed messages to the same member are sent before it, so that the order is kept. */
  post(receiver_id: number, content: string, listing?: Unsent['listing'], photos?: readonly File[]): void
  /** Returns the photos of an unsent message. */
  photosOf(message: Unsent): Promise<readonly KeyedFile[]>
  /** The uploaded shares of photos by the `client_id` of their message, from 0 to 1. */
  readonly progress: Readable<Readonly<Record<string, number>>>
  /** Sends the failed messages to a member again, also refused ones. */
  retry(receiver_id: number): void
  discard(client_id: string): void
  /** Sends all unsent messages again, except for those that the server refused. */
  resume(): void
}

type Dependencies = Pick<AppContext, 'queryClient' | 'login' | 'connection'>

export function createOutbox(app: Dependencies): Outbox {
  const { queryClient } = app
  const { state, get, update } = createUnsentStore(app.login)
  const photos = createUnsentPhotos(app)
  const progress = createAtom<Readonly<Record<string, number>>>({})
  /** The receivers of running deliveries. A receiver has one at a time, so that messages arrive in their order. */
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
        await deliverOne(next)
      }
    } finally {
      delivering.delete(receiver)
    }
  }

  async function deliverOne(message: Unsent) {
    try {
      const sent = await deliverWithPhotos(message)
      addMessage(queryClient, message.receiver_id, sent)
      discard(message.client_id)
      void invalidateThreads(queryClient)
    } catch (failure) {
      update((messages) => withFailure(messages, message, failure))
    }
  }

  function deliverWithPhotos(message: Unsent): Promise<Message> {
    if (message.photos === undefined) return send(app, message)
    const { client_id } = message
    const showProgress = (share: number) => progress.set((shares) => ({ ...shares, [client_id]: share }))
    return photos.send(message.photos.draft, showProgress, (image_ids) => send(app, message, image_ids))
  }

  function discard(client_id: string) {
    const draft = get().find((message) => message.client_id === client_id)?.photos?.draft
    if (draft !== undefined) photos.remove(draft)
    update((messages) => messages.filter((message) => message.client_id !== client_id))
  }

  return {
    state,
    progress,
    photosOf: async (message) => (message.photos ? photos.files(message.photos.draft) : []),
    post(receiver_id, content, listing, files = []) {
      const message = newUnsent(receiver_id, content, listing, files.length)
      if (message.photos) photos.store(message.photos.draft, files)
      update((messages) => [
        ...messages.map((message) => (message.receiver_id === receiver_id ? resumed(message) : message)),
        message,
      ])
      void deliver(receiver_id)
    },
    retry(receiver_id) {
      update((messages) =>
        messages.map((message) => (message.receiver_id === receiver_id ? retried(message) : message)),
      )
      void deliver(receiver_id)
    },
    discard,
    resume() {
      update((messages) => messages.map(resumed))
      for (const { receiver_id } of get()) void deliver(receiver_id)
    },
  }
}

/** Sends a message by the socket. Without a connection, or if the socket does not answer, sends it by HTTP. */
async function send(
  { queryClient, connection }: Dependencies,
  { receiver_id, content, client_id, listing }: Unsent,
  image_ids?: number[],
): Promise<Message> {
  const about = listing !== undefined && { listing_id: listing.id }
  const body = { receiver_id, content, client_id, ...about, ...(image_ids && { image_ids }) }
  const answer = connection.connected.get() ? await connection.send(body).catch(() => undefined) : undefined
  if (answer === undefined) return call(queryClient, sendMessage, { body })
  if (answer.ok) return answer.message
  throw new ApiError({ status: answer.status, detail: answer.detail, code: answer.code })
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
