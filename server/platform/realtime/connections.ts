import type { Server as HttpServer } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import type { Rate, TokenBuckets } from '#server/platform/token-buckets.ts'
import { waitUntil } from '#server/platform/wait-until.ts'
import type { SocketServer } from './sockets.ts'

const closeTimeoutMs = 500
/** The rate limit of a connection's frames. A connection above it is closed. */
const frameRate: Rate = { burst: 300, perSecond: 100 }
/** Maxima of what waits for a client to read it. A connection above them is closed. */
const maxUnsentPackets = 1000
const maxUnsentBytes = 1024 * 1024

/** Closes connections that send too many frames, do not read, or ignore a close frame. */
export function limitConnections(io: SocketServer, tokenBuckets: TokenBuckets) {
  const netSockets = new Set<NetSocket>()
  const isWithinRate = tokenBuckets<string>(frameRate)

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
        const { websocket } = connection.request
        // Engine.IO would keep the upgrade request in memory.
        connection.request = null
        // ws waits half a minute for the client's close frame.
        connection.once('close', () => setTimeout(() => websocket.terminate(), closeTimeoutMs))
        connection.on('packetCreate', () => {
          if (connection.writeBuffer.length >= maxUnsentPackets) websocket.terminate()
        })
        const countFrame = () => {
          // ws answers pings also while the client does not read.
          if (!isWithinRate(connection.id) || websocket.bufferedAmount > maxUnsentBytes) websocket.terminate()
        }
        connection.on('packet', countFrame)
        websocket.on('ping', countFrame)
        websocket.on('pong', countFrame)
      })
    },
    /** Closes all connections, and destroys those that stay open. */
    async close() {
      for (const socket of io.of('/').sockets.values()) socket.conn.close()
      await waitUntil(() => netSockets.size === 0, closeTimeoutMs)
      for (const netSocket of netSockets) netSocket.destroy()
    },
  }
}
