import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import type { z } from 'zod/mini'
import {
  type ClientEvents,
  type EventPayload,
  realtimePath,
  type SendAcknowledgement,
  type ServerEvents,
} from '#contract/realtime.ts'
import type { Actor } from './actor.ts'

type Options = Partial<ManagerOptions & SocketOptions>

/** A realtime client of a member, like one tab of the web client. */
export class SocketClient {
  readonly socket: Socket
  readonly #received: { event: string; payload: unknown }[] = []

  constructor(actor: Pick<Actor, 'server' | 'token'>, options: Options = {}) {
    this.socket = io(actor.server, {
      path: realtimePath,
      transports: ['websocket'],
      auth: { token: actor.token },
      forceNew: true,
      reconnection: false,
      ...options,
    })
    this.socket.onAny((event, payload) => this.#received.push({ event, payload }))
  }

  /** Resolves when connected. Rejects with the error of the server if it refuses. */
  async connected(): Promise<this> {
    if (this.socket.connected) return this
    await new Promise<void>((resolve, reject) => {
      this.socket.once('connect', resolve)
      this.socket.once('connect_error', reject)
    })
    return this
  }

  /** Resolves to the reason when the connection ends. */
  ended(): Promise<string> {
    return new Promise((resolve) => this.socket.once('disconnect', resolve))
  }

  /** Returns the payloads received for an event, oldest first. */
  received<Name extends keyof ServerEvents>(event: Name): EventPayload<Name>[] {
    return this.#received
      .filter((received) => received.event === event)
      .map(({ payload }) => payload as EventPayload<Name>)
  }

  /** Sends an event and returns its acknowledgement. */
  send<Name extends keyof ClientEvents>(
    event: Name,
    payload: z.input<ClientEvents[Name]>,
  ): Promise<SendAcknowledgement> {
    return this.sendAnything(event, payload)
  }

  /** Sends any event and payload. */
  sendAnything(event: string, ...payload: unknown[]): Promise<SendAcknowledgement> {
    return this.socket.timeout(10_000).emitWithAck(event, ...payload)
  }

  /** Sends a raw frame. */
  sendFrame(frame: string | Buffer) {
    const { transport } = this.socket.io.engine
    if (!('doWrite' in transport) || typeof transport.doWrite !== 'function')
      throw new Error('The transport is not a WebSocket')
    transport.doWrite({}, frame)
  }

  [Symbol.dispose]() {
    this.socket.disconnect()
  }
}

/** Connects a member's client. */
export function connectSocket(actor: Actor, options?: Options): Promise<SocketClient> {
  return new SocketClient(actor, options).connected()
}
