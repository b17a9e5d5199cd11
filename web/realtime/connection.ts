import { useRouter } from '@tanstack/react-router'
import { createAtom, type Readable, useSelector } from '@tanstack/react-store'
import type { NewMessage } from '#contract/messages.ts'
import type { EventPayload, SendAcknowledgement, ServerEvents } from '#contract/realtime.ts'
import type { Login } from '#web/login/login-store.ts'
import { loadWithRetry } from './load-with-retry.ts'
import type { OpenSocket } from './socket.ts'

type Events = { [Name in keyof ServerEvents]: EventPayload<Name> } & { connected: undefined }
type Listener<Name extends keyof Events> = (payload: Events[Name]) => void

/**
 * The Socket.IO connection of a tab. Events may be missed while it is not connected, so listeners refetch their data after each
 * `connected`.
 */
export interface Connection {
  /** Calls the listener at every event of this name. Returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): () => void
  readonly connected: Readable<boolean>
  /** Connects with the stored login. Returns a function that disconnects. */
  connect(): () => void
  /** Sends a message and returns the acknowledgement. Throws without a connection, or if none arrives in time. */
  send(message: NewMessage): Promise<SendAcknowledgement>
}

export function createConnection(login: Login): Connection {
  const events = new EventTarget()
  const connected = createAtom(false)
  let socket: OpenSocket | undefined

  function on<Name extends keyof Events>(name: Name, listener: Listener<Name>) {
    const receive = (event: Event) => event instanceof CustomEvent && listener(event.detail)
    events.addEventListener(name, receive)
    return () => events.removeEventListener(name, receive)
  }

  function emit<Name extends keyof Events>(name: Name, payload: Events[Name]) {
    events.dispatchEvent(new CustomEvent(name, { detail: payload }))
  }

  function setConnected(now: boolean) {
    if (connected.get() === now) return
    connected.set(now)
    if (now) emit('connected', undefined)
  }

  function open({ openSocket }: typeof import('./socket.ts')) {
    const token = login.get()?.token
    if (token === undefined) return
    socket = openSocket(token, {
      event: (name, payload) => emit(name, payload as never),
      connected: () => setConnected(true),
      disconnected: () => setConnected(false),
      refused: () => login.removeRefused(token),
    })
  }

  return {
    on,
    connected,
    connect() {
      const stopOpening = loadWithRetry(() => import('./socket.ts'), open)
      return () => {
        stopOpening()
        socket?.close()
        socket = undefined
        setConnected(false)
      }
    },
    async send(message) {
      if (!socket || !connected.get()) throw new Error('There is no connection')
      return socket.send(message)
    },
  }
}

/** Returns whether the socket is connected. */
export function useConnected(): boolean {
  return useSelector(useRouter().options.context.connection.connected)
}
