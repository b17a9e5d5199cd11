import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import type { Logger } from 'pino'
import { type Socket as AnySocket, Server } from 'socket.io'
import type { z } from 'zod'
import { errorMessages } from '#contract/error-messages.ts'
import type { ProblemCode } from '#contract/problem.ts'
import {
  type ClientEvents,
  clientEvents,
  type EventPayload,
  realtimeMessages,
  realtimePath,
  type ServerEvents,
} from '#contract/realtime.ts'
import { AppError } from './errors.ts'
import type { EventBus } from './events/event-bus.ts'
import { asAppError, problemCode } from './http/problem.ts'
import { type Authenticate, type Caller, parse, type RunInSession } from './http/route.ts'
import type { Metrics } from './metrics.ts'
import { type Rate, tokenBucket, tokenBuckets } from './token-buckets.ts'

/** Handles an event of a member. Its result is acknowledged with `ok: true`. */
type Rule<Name extends keyof ClientEvents> = (
  member: Caller,
  payload: z.output<ClientEvents[Name]>,
) => Promise<object>

export interface Realtime {
  /**
   * Tells all sockets of these members, on every node. Call it after the commit. Never throws: it is a hint, and who
   * misses it reads the database.
   */
  publish<Name extends keyof ServerEvents>(
    members: readonly number[],
    event: Name,
    payload: EventPayload<Name>,
  ): void
  /** Says who answers an event. Call before `start`. */
  handle<Name extends keyof ClientEvents>(event: Name, rule: Rule<Name>): void
  start(http: HttpServer): void
  /** Takes no more connections, lets what is under way be answered, then sends everyone to another node. */
  stop(): Promise<void>
}

/** The session functions that realtime needs. */
export interface Logins {
  readonly find: Authenticate
  readonly runInSession: RunInSession
  /** Of these sessions, those that are valid no more. */
  listEnded(sessions: readonly Buffer[]): Promise<Buffer[]>
  /** Tells that sessions may have ended: those of a member, or anybody's when a word may have gone unheard. */
  onEnded(listener: (userId: number | undefined) => void): void
}

export interface RealtimeOptions {
  readonly logins: Logins
  readonly bus: EventBus
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'sockets' | 'events'>
  /** Where pages may connect from; undefined for whichever host they name, on a machine of one's own. */
  readonly origin: string | undefined
  /** Whether there are limits on what one member may do. */
  readonly limited: boolean
}

/** The largest frame: the longest text in its longest encoding. */
const maxFrameBytes = 32 * 1024
const connectWithinMs = 7000
const maxConnections = 30
/** For a connection, whatever it sends; past it the connection ends. */
const frames: Rate = { burst: 300, perSecond: 100 }
/** For a member, over all their connections to this node; past it an event is refused. */
const events: Rate = { burst: 60, perSecond: 20 }
const recheckMs = 30_000
const recheckBatchSize = 1000
const answerWithinMs = 1500
const hangUpWithinMs = 500
const channel = 'realtime'

interface Delivery {
  readonly members: readonly number[]
  readonly event: string
  readonly payload: unknown
}
type Outgoing = Record<string, (payload: unknown) => void>
type None = Record<string, never>
/** `since` counts the endings of sessions that were heard of before the member's was looked up. */
type Data = { member: Caller; since: number }
type Socket = AnySocket<None, Outgoing, None, Data>

/** Socket.IO by WebSocket: who is connected is a member by a session that is valid now. */
export function createRealtime({ logins, bus, log, metrics, origin, limited }: RealtimeOptions): Realtime {
  const io = new Server<None, Outgoing, None, Data>({
    path: realtimePath,
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: maxFrameBytes,
    allowRequest: (request, answer) => answer(null, !stopping && fromHere(request, origin)),
  })
  const rules = new Map<string, (member: Caller, payload: unknown) => Promise<object>>()
  const connections = new Map<number, number>()
  const mayDo = limited ? tokenBuckets<number>(events) : () => true
  const underWay = new Set<Promise<void>>()
  const wires = new Set<NetSocket>()
  /** Connections that have not said yet whose they are, and when they are cut. */
  const nameless = new WeakMap<object, NodeJS.Timeout>()
  /** Connections that have sent a CONNECT packet. */
  const connecting = new WeakSet<object>()
  let endings = 0
  let stopping = false
  let rechecking: NodeJS.Timeout | undefined

  function deliver({ members, event, payload }: Delivery) {
    if (members.length > 0) io.to(members.map(room)).emit(event, payload)
  }

  bus.on(
    channel,
    (payload) => deliver(payload as Delivery),
    () => io.emit('missed', {} satisfies EventPayload<'missed'>),
  )

  io.use(async (socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown }
    socket.handshake.auth = {}
    // Socket.IO itself closes the connection only at a CONNECT packet that follows an accepted one.
    if (connecting.has(socket.conn)) return socket.conn.close(true)
    connecting.add(socket.conn)
    try {
      const since = endings
      const member = typeof token === 'string' ? await logins.find(token) : undefined
      if (!member) return next(new Error(errorMessages.notAuthenticated))
      // Its `close` event has fired: a connection that is counted now would be counted for good.
      if (socket.conn.readyState !== 'open') return next()
      if (limited && (connections.get(member.id) ?? 0) >= maxConnections)
        return next(new Error(realtimeMessages.tooManyConnections))
      count(connections, member.id, 1)
      socket.conn.once('close', () => count(connections, member.id, -1))
      socket.data = { member, since }
      next()
    } catch (error) {
      log.warn({ err: error }, 'A socket could not be let in')
      // Not refused but cut: a client comes back from that by itself.
      socket.conn.close(true)
    }
  })

  io.on('connection', (socket) => {
    const { member, since } = socket.data
    clearTimeout(nameless.get(socket.conn))
    metrics.sockets.inc()
    socket.join(room(member.id))
    if (since !== endings) recheckSoon(member.id)
    socket.onAny((event: unknown, ...sent: unknown[]) => take(socket, event, sent))
    socket.on('disconnect', () => {
      metrics.sockets.dec()
      // A connection without its socket is of no use to anyone.
      socket.conn.close()
    })
  })

  function take({ data: { member } }: Socket, event: unknown, sent: readonly unknown[]) {
    const last = sent.at(-1)
    const answer = typeof last === 'function' ? (last as (answer: object) => void) : () => {}
    const work = answered(member, event, sent[0])
      .then((result) => {
        const outcome = result.ok ? 'done' : result.status < 500 ? 'refused' : 'failed'
        const known = typeof event === 'string' && rules.has(event)
        metrics.events.inc({ event: known ? event : 'unknown', outcome })
        answer(result)
      })
      .catch((error) => log.error({ err: error }, 'An event could not be answered'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  async function answered(member: Caller, event: unknown, payload: unknown): Promise<EventAnswer> {
    try {
      if (!mayDo(member.id)) throw new AppError('too_many', errorMessages.tooManyAttempts)
      const rule = typeof event === 'string' ? rules.get(event) : undefined
      if (!rule) throw new AppError('not_found', errorMessages.notFound)
      return { ok: true, ...(await logins.runInSession(member.session, () => rule(member, payload))) }
    } catch (error) {
      const known = asAppError(error)
      if (known.code === 'unexpected')
        log.error({ err: known.cause ?? known }, 'An event failed unexpectedly')
      const code = problemCode(known.code)
      return { ok: false, status: known.status, detail: known.message, ...(code && { code }) }
    }
  }

  /** Cuts the sockets whose sessions have ended: a member's, or anybody's. */
  async function recheck(userId?: number): Promise<void> {
    const { sockets, adapter } = io.of('/')
    const ids = userId === undefined ? sockets.keys() : (adapter.rooms.get(room(userId)) ?? [])
    const bySession = new Map<string, Socket[]>()
    for (const id of ids) {
      const socket = sockets.get(id)
      if (!socket) continue
      const key = keyOf(socket.data.member.session)
      const same = bySession.get(key)
      if (same) same.push(socket)
      else bySession.set(key, [socket])
    }
    const sessions = [...bySession.values()].flatMap(([socket]) => socket?.data.member.session ?? [])
    for (let from = 0; from < sessions.length; from += recheckBatchSize) {
      for (const ended of await logins.listEnded(sessions.slice(from, from + recheckBatchSize))) {
        for (const socket of bySession.get(keyOf(ended)) ?? []) socket.disconnect(true)
      }
    }
  }

  function recheckSoon(userId?: number) {
    recheck(userId).catch((error) =>
      log.warn({ err: error }, 'Sockets could not be checked for their logins'),
    )
  }

  return {
    publish(members, event, payload) {
      try {
        const told: Delivery = { members, event, payload }
        deliver(told)
        bus.publish(channel, told)
      } catch (error) {
        log.error({ err: error }, 'Members could not be told')
      }
    },
    handle(event, rule) {
      const schema: z.ZodType = clientEvents[event]
      rules.set(event, (member, payload) => rule(member, parse(schema, payload) as never))
    },
    start(http) {
      logins.onEnded((userId) => {
        endings += 1
        recheckSoon(userId)
      })
      http.on('upgrade', (_request, wire: NetSocket) => {
        wires.add(wire)
        wire.once('close', () => wires.delete(wire))
        // Node removes its own listener at an upgrade. Without one, a client that resets the connection would end the process.
        wire.on('error', () => wire.destroy())
      })
      io.attach(http)
      io.engine.on('connection', (connection) => {
        // A client may ignore the close frame for half a minute, so the connection is destroyed.
        const wire: NetSocket | null = connection.request.socket
        const cut = setTimeout(() => wire?.destroy(), connectWithinMs)
        nameless.set(connection, cut)
        connection.once('close', () => clearTimeout(cut))
        // The upgrade request would be kept as long as the connection: a seventh of what an idle one takes.
        connection.request = null
        if (!limited) return
        const maySend = tokenBucket(frames)
        connection.on('packet', () => {
          if (!maySend()) wire?.destroy()
        })
      })
      // For sessions that run out, and whatever was missed.
      rechecking = setInterval(recheckSoon, recheckMs)
    },
    async stop() {
      stopping = true
      clearInterval(rechecking)
      await Promise.race([Promise.allSettled(underWay), pause(answerWithinMs)])
      for (const socket of io.of('/').sockets.values()) socket.conn.close()
      const end = performance.now() + hangUpWithinMs
      while (wires.size > 0 && performance.now() < end) await pause(20)
      for (const wire of wires) wire.destroy()
    },
  }
}

type EventAnswer = { ok: true } | { ok: false; status: number; detail: string; code?: ProblemCode }

function room(userId: number): string {
  return `member ${userId}`
}

function keyOf(session: Buffer): string {
  return session.toString('base64')
}

function count(counts: Map<number, number>, key: number, by: number) {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}

/** Programs name no origin. A browser always does, and only our own pages may connect. */
function fromHere({ headers: { origin, host } }: IncomingMessage, allowed: string | undefined): boolean {
  if (origin === undefined) return true
  if (allowed !== undefined) return origin === allowed
  return URL.canParse(origin) && new URL(origin).host === host
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
