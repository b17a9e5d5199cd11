import { createAtom, type Readable } from '@tanstack/react-store'
import { v4 as newUuid } from 'uuid'
import { ApiError, isClientIdReused } from '#web/api/api-error.ts'
import { readDraft, saveDraft } from '#web/features/drafts/draft-storage.ts'
import { type Login, shownMemberId } from '#web/login/login-store.ts'
import { type Refusal, refusalOf, refusals } from './refusal.ts'

const storageKey = 'outbox'

/** A message that the server has not confirmed. By its `client_id` the server stores it once, however often it is sent. */
export interface Unsent {
  readonly client_id: string
  readonly receiver_id: number
  readonly content: string
  /** The listing that it is about. */
  readonly listing?: { readonly id: number; readonly title: string }
  /** Its photos, which are stored apart. */
  readonly photos?: { readonly draft: string; readonly count: number }
  readonly created_at: string
  readonly state: 'sending' | 'failed'
  /** Why it was refused. A refused message is sent again only if the member asks for it. */
  readonly refusal?: Refusal
  /** The end of the pause that refused it. */
  readonly paused_until?: string
}

/** Returns the stored messages; undefined if something else is stored. Every page reads them, so they have no schema. */
function readMessages(stored: unknown): Unsent[] | undefined {
  if (!Array.isArray(stored) || !stored.every(isUnsent)) return undefined
  // Another release may know other reasons.
  return stored.map((message) =>
    message.refusal === undefined || refusals.includes(message.refusal)
      ? message
      : { ...message, refusal: 'other' },
  )
}

function isUnsent(stored: unknown): stored is Unsent {
  const { client_id, receiver_id, content, listing, photos, created_at, state, paused_until } = Object(stored)
  return (
    [client_id, content, created_at].every((text) => typeof text === 'string') &&
    typeof receiver_id === 'number' &&
    (state === 'sending' || state === 'failed') &&
    (listing === undefined || (typeof listing?.id === 'number' && typeof listing.title === 'string')) &&
    (paused_until === undefined || typeof paused_until === 'string') &&
    (photos === undefined || (typeof photos?.draft === 'string' && typeof photos.count === 'number'))
  )
}

export interface UnsentState {
  /** Undefined if nobody is logged in. */
  readonly member: number | undefined
  readonly messages: readonly Unsent[]
}

export interface UnsentStore {
  readonly state: Readable<UnsentState>
  /** Returns the unsent messages of the member who is logged in. */
  get(): readonly Unsent[]
  update(change: (messages: readonly Unsent[]) => readonly Unsent[]): void
}

/** Holds the unsent messages of the member who is logged in, and stores them as a draft. */
export function createUnsentStore(login: Login): UnsentStore {
  const state = createAtom(load())
  /** The ids of this tab's messages. Other tabs send the other stored messages. */
  const ownIds = new Set<string>()

  function readStored(): readonly Unsent[] {
    return readDraft(login, storageKey, readMessages) ?? []
  }

  function load(): UnsentState {
    return { member: shownMemberId(login), messages: readStored() }
  }

  function get(): readonly Unsent[] {
    if (state.get().member !== shownMemberId(login)) state.set(load())
    return state.get().messages
  }

  return {
    state,
    get,
    update(change) {
      const before = get()
      const messages = change(before)
      for (const { client_id } of [...before, ...messages]) ownIds.add(client_id)
      const stored = [...readStored().filter(({ client_id }) => !ownIds.has(client_id)), ...messages]
      saveDraft(login, storageKey, stored.length === 0 ? undefined : stored)
      state.set(({ member }) => ({ member, messages }))
    },
  }
}

/** Returns a new message to this member. */
export function newUnsent(
  receiver_id: number,
  content: string,
  listing: Unsent['listing'],
  photos: Unsent['photos'],
): Unsent {
  return {
    client_id: newUuid(),
    receiver_id,
    content,
    ...(listing !== undefined && { listing }),
    ...(photos !== undefined && { photos }),
    created_at: new Date().toISOString(),
    state: 'sending',
  }
}

/** Returns the message as one to send again, unless the server refused it. */
export function resumed(message: Unsent): Unsent {
  return message.refusal === undefined ? { ...message, state: 'sending' } : message
}

/** Returns the message as one to send again, also if the server refused it. */
export function retried({ refusal: _, paused_until: __, ...message }: Unsent): Unsent {
  return { ...message, state: 'sending' }
}

/** Marks a message as failed. Unless the server refused it, later messages to the member fail too, so that the order is kept. */
export function withFailure(messages: readonly Unsent[], failed: Unsent, failure: unknown): Unsent[] {
  // Another message has the id, so this one gets a new id for the next attempt.
  const isReused = isClientIdReused(failure)
  const client_id = isReused ? newUuid() : failed.client_id
  const refusal =
    failure instanceof ApiError && isFinal(failure) && !isReused ? refusalOf(failure) : undefined
  return messages.map((message): Unsent => {
    if (message.client_id === failed.client_id)
      return {
        ...message,
        client_id,
        state: 'failed',
        ...(refusal !== undefined && { refusal }),
        ...(refusal === 'paused' && { paused_until: endOf(failure) }),
      }
    const waits = refusal === undefined && message.receiver_id === failed.receiver_id
    return waits ? { ...message, state: 'failed' } : message
  })
}

/** Returns when the reason of a refusal ends. */
function endOf(failure: unknown): string {
  const seconds = failure instanceof ApiError ? failure.retryAfter : undefined
  return new Date(Date.now() + (seconds ?? 0) * 1000).toISOString()
}

/** Returns whether the server refused the message, so that only the member tries it again. */
function isFinal({ status, code }: ApiError): boolean {
  // Without a code, too many were sent at once, and a moment later it works.
  if (status === 429) return code !== undefined
  return status >= 400 && status < 500 && status !== 401
}
