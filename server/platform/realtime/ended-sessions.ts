import type { Logger } from 'pino'
import { roomOf, type Socket, type SocketServer } from './sockets.ts'

export const recheckMs = 30_000
const recheckBatchSize = 1000

export interface EndedSessions {
  /** Returns those of the sessions that have ended. */
  listEnded(sessions: readonly Buffer[]): Promise<Buffer[]>
  /** Calls the listener when sessions of a member may have ended. `undefined` means that an event may have been missed. */
  onEnded(listener: (userId: number | undefined) => void): void
}

/** Closes the sockets of ended sessions: when a session ends, and every 30 seconds for those that expire. */
export function closeEndedSessions(io: SocketServer, sessions: EndedSessions, log: Logger) {
  let timer: NodeJS.Timeout | undefined

  async function check(userId?: number): Promise<void> {
    const { sockets, adapter } = io.of('/')
    const ids = userId === undefined ? sockets.keys() : (adapter.rooms.get(roomOf(userId)) ?? [])
    const open = Array.from(ids, (id) => sockets.get(id)).filter((socket) => socket !== undefined)
    const bySession = Map.groupBy(open, (socket) => keyOf(socket.data.member.session))
    const openSessions = Array.from(bySession.values(), ([socket]) => (socket as Socket).data.member.session)
    for (let from = 0; from < openSessions.length; from += recheckBatchSize)
      for (const ended of await sessions.listEnded(openSessions.slice(from, from + recheckBatchSize)))
        for (const socket of bySession.get(keyOf(ended)) ?? []) socket.disconnect(true)
  }

  function checkSoon(userId?: number) {
    check(userId).catch((error) => log.warn({ err: error }, 'The sessions of sockets could not be checked'))
  }

  sessions.onEnded(checkSoon)

  return {
    /** Checks the sessions of a member's sockets, or of all. */
    checkSoon,
    start() {
      timer = setInterval(checkSoon, recheckMs)
    },
    stop() {
      clearInterval(timer)
    },
  }
}

function keyOf(session: Buffer): string {
  return session.toString('base64')
}
