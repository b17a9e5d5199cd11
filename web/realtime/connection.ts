import { useRouter } from '@tanstack/react-router'
import { createAtom, type Readable, useSelector } from '@tanstack/react-store'
import { reconnectMs } from '#contract/constants.ts'
import type { NewMessage } from '#contract/messages.ts'
import type { SendAcknowledgement } from '#contract/realtime.ts'
import type { RealtimeSocket } from './socket.ts'

/** The connection of a tab to the server. */
export interface Connection {
  readonly connected: Readable<boolean>
  /** Uses a new socket. Call it before other listeners are added, so that they find `connected` up to date. */
  use(socket: RealtimeSocket): void
  /** Sends a message and returns the acknowledgement. Throws without a connection, or if none arrives in time. */
  send(message: NewMessage): Promise<SendAcknowledgement>
}

export function createConnection(): Connection {
  const connected = createAtom(false)
  let socket: RealtimeSocket | undefined
  return {
    connected,
    use(opened) {
      socket = opened
      opened.on('connect', () => connected.set(true))
      opened.on('disconnect', () => connected.set(false))
    },
    async send(message) {
      if (!socket?.connected) throw new Error('There is no connection')
      return socket.timeout(reconnectMs.timeout).emitWithAck('send_message', message)
    },
  }
}

/** Returns whether the socket is connected. */
export function useConnected(): boolean {
  return useSelector(useRouter().options.context.connection.connected)
}
