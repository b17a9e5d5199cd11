import { useHydrated } from '@tanstack/react-router'
import { createAtom, type Readable, useSelector } from '@tanstack/react-store'
import { createContext, useContext } from 'react'
import { z } from 'zod'
import { type Message, messageErrorMessages, sendMessage } from '#contract/messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import type { AppContext } from '#web/app-context.ts'
import { useStoredLogin } from '#web/features/auth/login-store.ts'
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

interface OutboxState {
  /** Undefined if nobody is logged in. */
  readonly member: number | undefined
  readonly messages: readonly Unsent[]
}

/** The unsent messages of the member who is logged in. */
export interface Outbox {
  readonly state: Readable<OutboxState>
  /** Takes a message; it is shown, stored and sent until it has arrived. What failed before it goes first, so that the order stays. */
  post(receiver_id: number, content: string): void
  retry(receiver_id: number): void
  discard(client_id: string): void
  /** Loads what is stored for this member and sends what no answer came for. What was refused waits for the member. */
  resume(): void
}

export function createOutbox({
  queryClient,
  login,
  connection,
}: Pick<AppContext, 'queryClient' | 'login' | 'connection'>): Outbox {
  const state = createAtom(load())
  /** The ids that this tab sends. Other tabs send the other stored messages. */
  const ours = new Set<string>()
  /** One message at a time to each member, so that they arrive in the order they were written. */
  const delivering = new Set<number>()

  function load(): OutboxState {
    return { member: login.get()?.user.id, messages: readUnsent() }
  }

  function get(): readonly Unsent[] {
    if (state.get().member !== login.get()?.user.id) state.set(load())
    return state.get().messages
  }

  function update(change: (messages: readonly Unsent[]) => readonly Unsent[]) {
    const before = get()
    const messages = change(before)
    for (const { client_id } of [...before, ...messages]) ours.add(client_id)
    const stored = [...readUnsent().filter(({ client_id }) => !ours.has(client_id)), ...messages]
    saveDraft(login, storageKey, stored.length === 0 ? undefined : stored)
    state.set(({ member }) => ({ member, messages }))
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
      // Later messages wait behind a failed one, so that the order stays.
      update((messages) =>
        messages.map((one) => {
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
    const answer = connection.connected.get() ? await connection.send(body).catch(() => undefined) : undefined
    if (answer === undefined) return call(queryClient, sendMessage, { body })
    if (answer.ok) return answer.message
    throw new ApiError({ status: answer.status, detail: answer.detail, code: answer.code })
  }

  function discard(client_id: string) {
    update((messages) => messages.filter((message) => message.client_id !== client_id))
  }

  return {
    state,
    post(receiver_id, content) {
      const message: Unsent = {
        client_id: crypto.randomUUID(),
        receiver_id,
        content,
        created_at: new Date().toISOString(),
        state: 'sending',
      }
      update((messages) => [
        ...messages.map((one) =>
          one.receiver_id === receiver_id && one.refusal === undefined
            ? { ...one, state: 'sending' as const }
            : one,
        ),
        message,
      ])
      void deliver(receiver_id)
    },
    retry(receiver) {
      update((messages) =>
        messages.map((message) => {
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
      update((messages) =>
        messages.map((one) => (one.refusal === undefined ? { ...one, state: 'sending' as const } : one)),
      )
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

/** Returns what waits to be sent to this member. Nothing on the server and while the page hydrates. */
export function useUnsent(receiver: number): readonly Unsent[] {
  const id = useStoredLogin()?.user.id
  const { member, messages } = useSelector(useOutbox().state)
  const isHydrated = useHydrated()
  return isHydrated && member === id ? messages.filter(({ receiver_id }) => receiver_id === receiver) : []
}

function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

/** Returns the text under a failed message. */
export function failureText({ refusal }: Unsent): string {
  return refusal === undefined || refusal === messageErrorMessages.tooMany ? 'Not sent.' : refusal
}
