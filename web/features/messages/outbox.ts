import { createContext, useContext, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { type Message, messageSentences, sendMessage } from '#contract/messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/app-context.ts'
import { readDraft, saveDraft } from '#web/features/drafts/draft-storage.ts'
import { painted } from '#web/ui/painted.ts'
import { addMessage, invalidateThreads } from './message-queries.ts'

const storageKey = 'outbox'
const clientIdReused: ProblemCode = 'client_id_reused'

const storedMessages = z.array(
  z.object({
    client_id: z.string(),
    receiver_id: z.number(),
    content: z.string(),
    created_at: z.string(),
    state: z.literal(['sending', 'failed']),
    /** Why the server refused it. A refused message is not sent again by itself. */
    refusal: z.string().exactOptional(),
  }),
)

/** A message on its way. Its `client_id` makes it safe to send again: the server stores it once. */
export type Unsent = Readonly<z.output<typeof storedMessages>[number]>

/** The unsent messages of whoever is logged in. */
export interface Outbox {
  get(): readonly Unsent[]
  subscribe(listener: () => void): () => void
  /** Takes a message; it is shown, stored and sent until it has arrived. What failed before it goes first, so that the order stays. */
  post(receiver_id: number, content: string): void
  retry(receiver_id: number): void
  discard(client_id: string): void
  /** Sends what no answer came for; what was refused waits for the member. */
  resume(): void
}

export function createOutbox({
  queryClient,
  login,
  connection,
}: Pick<AppContext, 'queryClient' | 'login' | 'connection'>): Outbox {
  let unsent: readonly Unsent[] = []
  let owner: number | undefined
  /** What this tab has written or found stored. The rest of what is stored is another tab's to send. */
  const ours = new Set<string>()
  const listeners = new Set<() => void>()
  /** One message at a time to each member, so that they arrive in the order they were written. */
  const delivering = new Set<number>()

  /** The unsent messages of this login: whatever was stored is sent again when it is first read. */
  function get(): readonly Unsent[] {
    const member = login.get()?.user.id
    if (member !== owner) {
      owner = member
      unsent = readUnsent()
      for (const { client_id } of unsent) ours.add(client_id)
    }
    return unsent
  }

  function set(next: readonly Unsent[]) {
    unsent = next
    const stored = [...readUnsent().filter(({ client_id }) => !ours.has(client_id)), ...next]
    saveDraft(login, storageKey, stored.length === 0 ? undefined : stored)
    notify()
  }

  function notify() {
    for (const listener of listeners) listener()
  }

  function readUnsent(): readonly Unsent[] {
    return readDraft(login, storageKey, storedMessages) ?? []
  }

  async function deliver(receiver: number): Promise<void> {
    if (delivering.has(receiver)) return
    delivering.add(receiver)
    try {
      // It is shown and stored already.
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
    const { receiver_id, client_id } = message
    try {
      const sent = await send(message)
      addMessage(queryClient, receiver_id, sent)
      discard(client_id)
      void invalidateThreads(queryClient)
    } catch (failure) {
      const isReused = failure instanceof ApiError && failure.code === clientIdReused
      const refusal =
        failure instanceof ApiError && isFinal(failure) && !isReused ? failure.detail : undefined
      // Another message has the id: this one goes under a new id when it is sent again.
      const nextId = isReused ? crypto.randomUUID() : client_id
      ours.add(nextId)
      // What waits behind a message that nobody took waits as well, so that the order stays.
      set(
        get().map((one) => {
          if (one.client_id === client_id)
            return {
              ...one,
              client_id: nextId,
              state: 'failed' as const,
              ...(refusal !== undefined && { refusal }),
            }
          const waits = refusal === undefined && one.receiver_id === receiver_id
          return waits ? { ...one, state: 'failed' as const } : one
        }),
      )
    }
  }

  /** By the connection while there is one; otherwise, or when that gives no answer, by an ordinary call. */
  async function send({ receiver_id, content, client_id }: Unsent): Promise<Message> {
    const body = { receiver_id, content, client_id }
    const answer = connection.isConnected() ? await connection.send(body).catch(() => undefined) : undefined
    if (answer === undefined) return call(queryClient, sendMessage, { body })
    if (answer.ok) return answer.message
    throw new ApiError({ status: answer.status, detail: answer.detail, code: answer.code })
  }

  function discard(client_id: string) {
    set(get().filter((message) => message.client_id !== client_id))
  }

  return {
    get,
    subscribe(listener) {
      const unsubscribe = login.subscribe(listener)
      listeners.add(listener)
      return () => {
        unsubscribe()
        listeners.delete(listener)
      }
    },
    post(receiver_id, content) {
      const message: Unsent = {
        client_id: crypto.randomUUID(),
        receiver_id,
        content,
        created_at: new Date().toISOString(),
        state: 'sending',
      }
      const before = get().map((one) =>
        one.receiver_id === receiver_id && one.refusal === undefined
          ? { ...one, state: 'sending' as const }
          : one,
      )
      ours.add(message.client_id)
      set([...before, message])
      void deliver(receiver_id)
    },
    retry(receiver) {
      set(
        get().map((message) => {
          if (message.receiver_id !== receiver || message.state !== 'failed') return message
          const { refusal: _, ...again } = message
          return { ...again, state: 'sending' as const }
        }),
      )
      void deliver(receiver)
    },
    discard,
    resume() {
      const waiting = new Set(
        get().flatMap(({ receiver_id, refusal }) => (refusal === undefined ? receiver_id : [])),
      )
      set(get().map((one) => (one.refusal === undefined ? { ...one, state: 'sending' as const } : one)))
      for (const receiver of waiting) void deliver(receiver)
    },
  }
}

const OutboxContext = createContext<Outbox | undefined>(undefined)
export const OutboxProvider = OutboxContext.Provider

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext)
  if (outbox === undefined) throw new Error('There is no OutboxProvider around this component')
  return outbox
}

/** The server knows of no unsent message. */
const none: readonly Unsent[] = []

export function useUnsent(receiver: number): readonly Unsent[] {
  const outbox = useOutbox()
  const all = useSyncExternalStore(outbox.subscribe, outbox.get, () => none)
  return all.filter(({ receiver_id }) => receiver_id === receiver)
}

function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

/** What a failed message says under it. */
export function failureText({ refusal }: Unsent): string {
  return refusal === undefined || refusal === messageSentences.tooMany ? 'Not sent.' : refusal
}
