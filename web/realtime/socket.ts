import { io, type Socket } from 'socket.io-client'
import { reconnectMs } from '#contract/constants.ts'
import type { NewMessage } from '#contract/messages.ts'
import type {
  ConnectionRefusal,
  EventPayload,
  SendAcknowledgement,
  ServerEvents,
} from '#contract/realtime.ts'
import type { Login } from '#web/login/login-store.ts'

type Listeners = { [Name in keyof ServerEvents]: (payload: EventPayload<Name>) => void }
interface Sent {
  send_message: (message: NewMessage, acknowledge: (acknowledgement: SendAcknowledgement) => void) => void
}

const notAuthenticated: ConnectionRefusal = 'not_authenticated'

/** A Socket.IO socket. Events may be missed while it is not connected, so listeners refetch their data after each `connect`. */
export type RealtimeSocket = Socket<Listeners, Sent>

/** Creates a socket of the stored login. Once it is told to connect, it reconnects until it is closed. */
export function createSocket(login: Login): { socket: RealtimeSocket; close: () => void } {
  const token = login.get()?.token
  const socket: RealtimeSocket = io({
    autoConnect: false,
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

  socket.on('disconnect', (reason) => {
    // The server disconnected. It refuses a revoked login at the next attempt. A server that restarts accepts it.
    if (reason === 'io server disconnect') socket.connect()
  })
  socket.on('connect_error', (error: Error & { readonly data?: { readonly code?: unknown } }) => {
    if (error.data?.code === notAuthenticated && token !== undefined) login.removeRefused(token)
    else if (!socket.active) reconnectLater()
  })

  function close() {
    clearTimeout(timer)
    // Wait for a pending connection: browsers log an error if a socket is closed before it is open.
    if (socket.active && !socket.connected) {
      socket.removeAllListeners()
      socket.io.reconnection(false)
      socket.once('connect', () => socket.disconnect())
    } else {
      socket.disconnect()
      socket.removeAllListeners()
    }
  }
  return { socket, close }
}
