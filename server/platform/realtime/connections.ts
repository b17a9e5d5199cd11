import type { Server as HttpServer } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { type Rate, tokenBucket } from '#server/platform/token-buckets.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import type { Socket, SocketServer } from './sockets.ts'

const connectTimeoutMs = 7000
const closeTimeoutMs = 500
const maxConnections = 30
/** The rate limit of a connection's frames. A connection above it is closed. */
const frameRate: Rate = { burst: 300, perSecond: 100 }

/** Limits connections: their time without a login, their frames, and their number per member. */
export function limitConnections(io: SocketServer, { limited }: { limited: boolean }) {
  const netSockets = new Set<NetSocket>()
  const byMember = new Map<number, number>()
  /** The time limits of connections that have no member yet. */
  const timers = new WeakMap<object, NodeJS.Timeout>()

  return {
    start(http: HttpServer) {
      http.on('upgrade', (_request, netSocket: NetSocket) => {
        netSockets.add(netSocket)
        netSocket.once('close', () => netSockets.delete(netSocket))
        // Node removes its own listener at an upgrade. Without one, a client that resets the connection would end the process.
        netSocket.on('error', () => netSocket.destroy())
      })
      io.attach(http)
      io.engine.on('connection', (connection) => {
        // A client may ignore the close frame for half a minute, so the connection is destroyed.
        const netSocket: NetSocket | null = connection.request.socket
        const timer = setTimeout(() => netSocket?.destroy(), connectTimeoutMs)
        timers.set(connection, timer)
        connection.once('close', () => clearTimeout(timer))
        // Engine.IO would keep the upgrade request in memory.
        connection.request = null
        if (!limited) return
        const maySend = tokenBucket(frameRate)
        connection.on('packet', () => {
          if (!maySend()) netSocket?.destroy()
        })
      })
    },
    /** Counts a member's connection until it closes. Returns false, and counts nothing, if the member has too many. */
    add(userId: number, { conn }: Socket): boolean {
      if (limited && (byMember.get(userId) ?? 0) >= maxConnections) return false
      changeCount(byMember, userId, 1)
      conn.once('close', () => changeCount(byMember, userId, -1))
      return true
    },
    /** Ends the time limit of a connection that has a member now. */
    accept({ conn }: Socket) {
      clearTimeout(timers.get(conn))
    },
    /** Closes all connections, and destroys those that stay open. */
    async close() {
      for (const socket of io.of('/').sockets.values()) socket.conn.close()
      await waitUntil(() => netSockets.size === 0, closeTimeoutMs)
      for (const netSocket of netSockets) netSocket.destroy()
    },
  }
}

function changeCount(counts: Map<number, number>, key: number, by: number) {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
