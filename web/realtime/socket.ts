import { io, type Socket } from 'socket.io-client'
import { reconnectMs } from '#contract/constants.ts'
import type { NewMessage } from '#contract/messages.ts'
import type { EventPayload, SendAcknowledgement, ServerEvents } from '#contract/realtime.ts'

type EventName = keyof ServerEvents

interface Listener {
  readonly event: <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void
  readonly connected: () => void
  readonly disconnected: () => void
  /** The server does not accept the token. */
  readonly refused: () => void
}

/** The connection of one login, which reconnects until it is closed. */
export interface OpenSocket {
  send(message: NewMessage): Promise<SendAcknowledgement>
  close(): void
}

export function openSocket(token: string, listener: Listener): OpenSocket {
  const socket: Socket = io({
    transports: ['websocket'],
    auth: { token },
    reconnectionDelay: reconnectMs.first,
    reconnectionDelayMax: reconnectMs.longest,
    timeout: reconnectMs.timeout,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const reconnectLater = () => {
    timer = setTimeout(() => socket.connect(), reconnectMs.longest)
  }

  socket.onAny((name: EventName, payload) => listener.event(name, payload))
  socket.on('connect', listener.connected)
  socket.on('disconnect', (reason) => {
    listener.disconnected()
    // The server disconnected. It refuses a revoked login at the next attempt. A server that restarts accepts it.
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.on('connect_error', ({ message }) => {
    if (message === 'Not authenticated') listener.refused()
    else if (!socket.active) reconnectLater()
  })

  return {
    send: (message) => socket.timeout(reconnectMs.timeout).emitWithAck('send_message', message),
    close() {
      clearTimeout(timer)
      socket.removeAllListeners()
      // Wait for a pending connection: browsers log an error if a socket is closed before it is open.
      if (socket.active && !socket.connected) {
        socket.io.reconnection(false)
        socket.once('connect', () => socket.disconnect())
      } else socket.disconnect()
    },
  }
}
