import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { type Message, messageSentences, sendMessage } from '#contract/messages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { storedLogin, subscribeToLogin } from '#web/features/auth/stored-login.ts'
import { readDraft, saveDraft } from '#web/features/drafts/draft-storage.ts'
import { hear, isConnected, sendLive } from '#web/realtime/connection.ts'
import { painted } from '#web/ui/painted.ts'
import { keepMessage, renewThreads } from './message-queries.ts'

const storageKey = 'outbox'

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

let unsent: readonly Unsent[] = []
let owner: number | undefined
/** What this tab has written or found kept. The rest of what is kept is another tab's to send. */
const ours = new Set<string>()
const watchers = new Set<() => void>()
/** One message at a time to each member, so that they arrive in the order they were written. */
const delivering = new Set<number>()

/** A first look is drawn where nothing is kept. */
const none: readonly Unsent[] = []

export function useUnsent(receiver: number): readonly Unsent[] {
  const all = useSyncExternalStore(watch, current, () => none)
  return all.filter(({ receiver_id }) => receiver_id === receiver)
}

/** Takes a message; it is shown, kept and sent until it has arrived. What failed before it goes first, so that the order stays. */
export function post(receiver_id: number, content: string) {
  const message: Unsent = {
    client_id: crypto.randomUUID(),
    receiver_id,
    content,
    created_at: new Date().toISOString(),
    state: 'sending',
  }
  const before = current().map((one) =>
    one.receiver_id === receiver_id && one.refusal === undefined
      ? { ...one, state: 'sending' as const }
      : one,
  )
  ours.add(message.client_id)
  set([...before, message])
  void deliver(receiver_id)
}

export function retry(receiver: number) {
  set(
    current().map((message) => {
      if (message.receiver_id !== receiver || message.state !== 'failed') return message
      const { refusal: _, ...again } = message
      return { ...again, state: 'sending' as const }
    }),
  )
  void deliver(receiver)
}

export function discard(client_id: string) {
  set(current().filter((message) => message.client_id !== client_id))
}

async function deliver(receiver: number): Promise<void> {
  if (delivering.has(receiver)) return
  delivering.add(receiver)
  try {
    // It is shown and kept already.
    await painted()
    for (;;) {
      const next = current().find(({ receiver_id, state }) => receiver_id === receiver && state === 'sending')
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
    const stored = await send(message)
    keepMessage(receiver_id, stored)
    discard(client_id)
    void renewThreads()
  } catch (failure) {
    const refusal = failure instanceof ApiError && isFinal(failure) ? failure.detail : undefined
    // What waits behind a message that nobody took waits as well, so that the order stays.
    set(
      current().map((one) => {
        if (one.client_id === client_id)
          return { ...one, state: 'failed' as const, ...(refusal !== undefined && { refusal }) }
        const waits = refusal === undefined && one.receiver_id === receiver_id
        return waits ? { ...one, state: 'failed' as const } : one
      }),
    )
  }
}

/** By the connection while there is one; otherwise, or when that gives no answer, by an ordinary call. */
async function send({ receiver_id, content, client_id }: Unsent): Promise<Message> {
  const body = { receiver_id, content, client_id }
  const live = isConnected() ? await sendLive(body).catch(() => undefined) : undefined
  if (live === undefined) return call(sendMessage, { body })
  if (live.ok) return live.message
  throw new ApiError({ status: live.status, detail: live.detail })
}

function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429
}

/** What is unsent by the member of this login: whatever was kept is sent again when it is first looked at. */
function current(): readonly Unsent[] {
  const member = storedLogin()?.user.id
  if (member !== owner) {
    owner = member
    unsent = readUnsent()
    for (const { client_id } of unsent) ours.add(client_id)
  }
  return unsent
}

function set(next: readonly Unsent[]) {
  unsent = next
  const kept = [...readUnsent().filter(({ client_id }) => !ours.has(client_id)), ...next]
  saveDraft(storageKey, kept.length === 0 ? undefined : kept)
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function readUnsent(): readonly Unsent[] {
  return readDraft(storageKey, storedMessages) ?? []
}

/** Sends what no answer came for; what was refused waits for the member. */
export function resume() {
  const waiting = new Set(
    current().flatMap(({ receiver_id, refusal }) => (refusal === undefined ? receiver_id : [])),
  )
  set(current().map((one) => (one.refusal === undefined ? { ...one, state: 'sending' as const } : one)))
  for (const receiver of waiting) void deliver(receiver)
}

hear('connected', resume)
subscribeToLogin(() => {
  for (const watcher of watchers) watcher()
})

/** What a failed message says under it. */
export function failureText({ refusal }: Unsent): string {
  return refusal === undefined || refusal === messageSentences.tooMany ? 'Not sent.' : refusal
}
