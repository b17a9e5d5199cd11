import { z } from 'zod/mini'
import { msg } from './message.ts'
import { message, newMessage } from './messages.ts'
import { notification } from './notifications.ts'
import { problemCodes } from './problem.ts'
import { trade } from './trades.ts'

/** The path of the sockets. They use the websocket transport only, with `auth: { token }`. */
export const realtimePath = '/socket.io'

/**
 * The `connect_error` of a refused connection is `Not authenticated` or this, with a code as `data.code`. After these, and after the
 * `io server disconnect` of an ended session, the client does not reconnect by itself. After other errors it does.
 */
export const realtimeMessages = { tooManyConnections: msg('Too many connections') } as const
export type ConnectionRefusal = 'not_authenticated' | 'too_many_connections'

/**
 * The events that the server sends to all sockets of a member. Delivery is not guaranteed. After a reconnect or `missed`, fetch
 * the messages after the last fetched one, because an event before the last received one may be lost.
 */
export const serverEvents = {
  new_message: message,
  /** The conversation with `user_id` is read up to a message. Sent to both sides. */
  thread_read: z.object({ reader_id: z.int(), user_id: z.int(), last_read_id: z.int() }),
  /** Messages of the conversation with `user_id` are gone or back: fetch all of it again. */
  conversation_changed: z.object({ user_id: z.int() }),
  notification,
  /**
   * Events may have been lost, so fetch the displayed data again. Sent after a retry of a message, and repeatedly while nodes are
   * disconnected from each other.
   */
  missed: z.object({}),
  /** Something changed between you and this member: friendship, request or block. */
  friends_changed: z.object({ user_id: z.int() }),
  /** A listing changed that is yours, or that you have written to its owner about; or the latter was deleted. Fetch it again. */
  listing_changed: z.object({ listing_id: z.int() }),
  /** A trade of yours began or changed, as `GET /trades/{id}` shows it to you. */
  trade_changed: trade,
} as const
export type ServerEvents = typeof serverEvents
export type EventPayload<Name extends keyof ServerEvents> = z.output<ServerEvents[Name]>

/** The events that a client may send. */
export const clientEvents = { send_message: newMessage } as const
export type ClientEvents = typeof clientEvents

/** The acknowledgement of `send_message`, sent after the commit. */
export const sendAcknowledgement = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), message }),
  z.object({
    ok: z.literal(false),
    status: z.int(),
    detail: z.string(),
    code: z.optional(z.enum(problemCodes)),
  }),
])
export type SendAcknowledgement = z.output<typeof sendAcknowledgement>
