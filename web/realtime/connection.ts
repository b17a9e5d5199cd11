import { useSyncExternalStore } from 'react'
import type { NewMessage } from '#contract/messages.ts'
import type { EventPayload, SendAnswer, ServerEvents } from '#contract/realtime.ts'
import { removeRefusedLogin, storedLogin } from '#web/features/auth/stored-login.ts'
import { laterCode } from './later-code.ts'
import type { OpenSocket } from './socket.ts'

/**
 * The one connection of this tab. What it brings is a hint: whoever listens also asks the server after each `connected`,
 * for what may have gone unheard before.
 */
type Events = { [Name in keyof ServerEvents]: EventPayload<Name> } & { connected: undefined }
type Listener<Name extends keyof Events> = (payload: Events[Name]) => void

const listeners: { [Name in keyof Events]?: Set<Listener<Name>> } = {}
const watchers = new Set<() => void>()
let socket: OpenSocket | undefined
let connected = false

/** Calls the listener at every such event; returns how to stop. */
export function hear<Name extends keyof Events>(name: Name, listener: Listener<Name>): () => void {
  const heard: Set<Listener<Name>> = listeners[name] ?? new Set<Listener<Name>>()
  Object.assign(listeners, { [name]: heard })
  heard.add(listener)
  return () => heard.delete(listener)
}

function tell<Name extends keyof Events>(name: Name, payload: Events[Name]) {
  for (const listener of listeners[name] ?? []) listener(payload)
}

export function isConnected(): boolean {
  return connected
}

/** Whether the server's events come in at the moment. */
export function useConnected(): boolean {
  return useSyncExternalStore(watch, isConnected, () => false)
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function setConnected(now: boolean) {
  if (connected === now) return
  connected = now
  for (const watcher of watchers) watcher()
  if (connected) tell('connected', undefined)
}

/** Connects the login that is stored; returns how to disconnect. Its code comes when a member's screen stands. */
export function connect(): () => void {
  const stopOpening = laterCode(() => import('./socket.ts'), open)
  return () => {
    stopOpening()
    socket?.close()
    socket = undefined
    setConnected(false)
  }

  function open({ openSocket }: typeof import('./socket.ts')) {
    const token = storedLogin()?.token
    if (token === undefined) return
    socket = openSocket(token, {
      event: (name, payload) => tell(name, payload as never),
      connected: () => setConnected(true),
      disconnected: () => setConnected(false),
      refused: () => removeRefusedLogin(token),
    })
  }
}

/** Sends a message by the connection, and tells what came of it. Throws when there is none, or nobody answers in time. */
export async function sendLive(message: NewMessage): Promise<SendAnswer> {
  if (!socket || !connected) throw new Error('There is no connection')
  return socket.send(message)
}
