import { z } from 'zod'
import { message, newMessage } from './messages.ts'
import { notification } from './notifications.ts'
import { problemCodes } from './problem.ts'

/** Where sockets connect, by the websocket transport only, with `auth: { token }`. */
export const realtimePath = '/socket.io'

/**
 * A refused connection says why in its `connect_error`: `Not authenticated`, or this. Both are final until the client tries
 * again; so is `io server disconnect`, which is what a session that ends does. From anything else clients come back by themselves.
 */
export const realtimeMessages = { tooManyConnections: 'Too many connections' } as const

/**
 * The events that the server sends to all sockets of a member. Delivery is not guaranteed. After a reconnect or `missed`, fetch
 * what came after the last message that a page of messages contained: an earlier one may not have been received.
 */
export const serverEvents = {
  new_message: message,
  /** The reader's other sockets, and the writer: what `user_id` shares with you is read up to the message. */
  thread_read: z.object({ reader_id: z.int(), user_id: z.int(), last_read_id: z.int() }),
  notification,
  /**
   * Something may have gone unheard: ask the database for what is shown. Comes when a message is sent again, and now and then while
   * nodes can't reach each other.
   */
  missed: z.object({}),
  /** Something changed between you and this member: friendship, request or block. */
  friends_changed: z.object({ user_id: z.int() }),
} as const
export type ServerEvents = typeof serverEvents
export type EventPayload<Name extends keyof ServerEvents> = z.output<ServerEvents[Name]>

/** The events that a client may send. */
export const clientEvents = { send_message: newMessage } as const
export type ClientEvents = typeof clientEvents

/** The answer to `send_message`, given after the commit. */
export const sendAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), message }),
  z.object({
    ok: z.literal(false),
    status: z.int(),
    detail: z.string(),
    code: z.enum(problemCodes).optional(),
  }),
])
export type SendAnswer = z.output<typeof sendAnswer>
