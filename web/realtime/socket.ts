import { io, type Socket } from 'socket.io-client'
import { reconnectMs } from '#contract/constants.ts'
import type { NewMessage } from '#contract/messages.ts'
import type { EventPayload, SendAnswer, ServerEvents } from '#contract/realtime.ts'

type EventName = keyof ServerEvents

interface Listener {
  readonly event: <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void
  readonly connected: () => void
  readonly disconnected: () => void
  /** The server knows no such login. */
  readonly refused: () => void
}

/** A connection of one login; it comes back by itself until it is closed. */
export interface OpenSocket {
  send(message: NewMessage): Promise<SendAnswer>
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
  let again: ReturnType<typeof setTimeout> | undefined
  const comeBack = () => {
    again = setTimeout(() => socket.connect(), reconnectMs.longest)
  }

  socket.onAny((name: EventName, payload) => listener.event(name, payload))
  socket.on('connect', listener.connected)
  socket.on('disconnect', (reason) => {
    listener.disconnected()
    // The server has cut it: a login that was revoked is refused at the next try, a server that stops has a successor.
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.on('connect_error', ({ message }) => {
    if (message === 'Not authenticated') listener.refused()
    else if (!socket.active) comeBack()
  })

  return {
    send: (message) => socket.timeout(reconnectMs.timeout).emitWithAck('send_message', message),
    close() {
      clearTimeout(again)
      socket.removeAllListeners()
      // One that is just being opened is let open first: browsers complain of a socket that is closed before.
      if (socket.active && !socket.connected) {
        socket.io.reconnection(false)
        socket.once('connect', () => socket.disconnect())
      } else socket.disconnect()
    },
  }
}
