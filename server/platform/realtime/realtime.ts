import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { errorMessages } from '#contract/error-messages.ts'
import {
  type ClientEvents,
  type ConnectionRefusal,
  type EventPayload,
  realtimeMessages,
  realtimePath,
  type ServerEvents,
} from '#contract/realtime.ts'
import type { EventBus } from '#server/platform/events/event-bus.ts'
import type { Authenticate, RunInSession } from '#server/platform/http/route.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { TokenBuckets } from '#server/platform/token-buckets.ts'
import { createClientEvents, type Handler } from './client-events.ts'
import { limitConnections } from './connections.ts'
import { closeEndedSessions, type EndedSessions } from './ended-sessions.ts'
import { roomOf, type Socket, type SocketServer } from './sockets.ts'

export interface Realtime {
  /**
   * Sends an event to all sockets of these members on all nodes. Call it after the commit. It never throws. Delivery is not guaranteed:
   * clients that miss an event fetch from the API.
   */
  publish<Name extends keyof ServerEvents>(
    members: readonly number[],
    event: Name,
    payload: EventPayload<Name>,
  ): void
  /** Sets the handler of a client event. Call it before `start`. */
  handle<Name extends keyof ClientEvents>(event: Name, rule: Handler<Name>): void
  start(http: HttpServer): void
  /** Refuses new connections, answers the events received so far, then closes all connections. */
  stop(): Promise<void>
}

/** The session functions that realtime needs. */
export interface Logins extends EndedSessions {
  readonly find: Authenticate
  readonly runInSession: RunInSession
}

export interface RealtimeOptions {
  readonly logins: Logins
  readonly bus: EventBus
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'sockets' | 'events'>
  /** The allowed origin of pages. Undefined allows the host of the request, for local use. */
  readonly origin: string | undefined
  readonly tokenBuckets: TokenBuckets
}

/** The maximum size of a frame, enough for the longest message in its longest encoding. */
const maxFrameBytes = 32 * 1024
const connectTimeout = 7000
const maxConnections = 30
const settleTimeoutMs = 1500
const channel = 'realtime'

interface Delivery {
  readonly members: readonly number[]
  readonly event: string
  readonly payload: unknown
}

/** Creates the Socket.IO server over WebSocket for members with a valid session. */
export function createRealtime({
  logins,
  bus,
  log,
  metrics,
  origin,
  tokenBuckets,
}: RealtimeOptions): Realtime {
  const io: SocketServer = new Server({
    path: realtimePath,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: maxFrameBytes,
    connectTimeout,
    allowRequest: (request, callback) => callback(null, !stopping && isAllowed(request, origin)),
  })
  const clientEvents = createClientEvents({ runInSession: logins.runInSession, log, metrics, tokenBuckets })
  const connections = limitConnections(io, tokenBuckets)
  const endedSessions = closeEndedSessions(io, logins, log)
  let stopping = false

  io.use(authentication({ logins, log }))
  io.on('connection', (socket) => {
    metrics.sockets.inc()
    // The session may have ended before the socket joined the room.
    endedSessions.checkSoon(socket.data.member.id)
    socket.onAny((event: unknown, ...args: unknown[]) => clientEvents.receive(socket, event, args))
    socket.on('disconnect', () => metrics.sockets.dec())
    // Each connection has one socket, so it ends with the socket.
    socket.on('disconnect', () => socket.conn.close())
  })

  return {
    handle: clientEvents.handle,
    publish: createPublish(io, bus, log),
    start(http) {
      connections.start(http)
      endedSessions.start()
    },
    async stop() {
      stopping = true
      endedSessions.stop()
      await Promise.race([clientEvents.settled(), sleep(settleTimeoutMs)])
      await connections.close()
    },
  }
}

/** Delivers the events of other nodes to the sockets of this one. Returns the function that publishes to both. */
function createPublish(io: SocketServer, bus: EventBus, log: Logger): Realtime['publish'] {
  function deliver({ members, event, payload }: Delivery) {
    if (members.length > 0) io.to(members.map(roomOf)).emit(event, payload)
  }

  bus.on(
    channel,
    (payload) => deliver(payload as Delivery),
    () => io.emit('missed', {} satisfies EventPayload<'missed'>),
  )
  return (members, event, payload) => {
    try {
      const delivery: Delivery = { members, event, payload }
      deliver(delivery)
      bus.publish(channel, delivery)
    } catch (error) {
      log.error({ err: error }, 'A socket event could not be published')
    }
  }
}

interface AuthenticationOptions {
  readonly logins: Pick<Logins, 'find'>
  readonly log: Logger
}

function refusal(code: ConnectionRefusal, message: string): Error {
  return Object.assign(new Error(message), { data: { code } })
}

/** Returns the middleware that finds the member of a new socket by its token. */
function authentication({ logins, log }: AuthenticationOptions) {
  /** Connections that have sent a CONNECT packet. */
  const connecting = new WeakSet<object>()
  return async (socket: Socket, next: (error?: Error) => void): Promise<void> => {
    const { token } = socket.handshake.auth as { token?: unknown }
    socket.handshake.auth = {}
    // Socket.IO closes the connection only at a CONNECT packet after an accepted one. It keeps the socket until `next` is called.
    if (connecting.has(socket.conn)) {
      socket.conn.close(true)
      return next()
    }
    connecting.add(socket.conn)
    try {
      const member = typeof token === 'string' ? await logins.find(token) : undefined
      if (!member) return next(refusal('not_authenticated', errorMessages.notAuthenticated))
      const room = roomOf(member.id)
      if ((socket.nsp.adapter.rooms.get(room)?.size ?? 0) >= maxConnections)
        return next(refusal('too_many_connections', realtimeMessages.tooManyConnections))
      // Joins before it is connected, so that connections which are made at the same time count.
      socket.join(room)
      socket.data = { member }
      next()
    } catch (error) {
      log.warn({ err: error }, 'A socket could not be authenticated')
      // A client retries after a closed connection, but not after a refusal.
      socket.conn.close(true)
      next()
    }
  }
}

/** Returns whether the origin is allowed. Programs send no `Origin`; of pages only those of the site may connect. */
function isAllowed({ headers: { origin, host } }: IncomingMessage, allowed: string | undefined): boolean {
  if (origin === undefined) return true
  if (allowed !== undefined) return origin === allowed
  return URL.canParse(origin) && new URL(origin).host === host
}
