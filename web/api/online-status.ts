import { useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

/** Whether the last call was answered, by whomever; before the first, what the browser says. */
export interface OnlineStatus {
  get(): boolean
  set(online: boolean): void
  subscribe(listener: () => void): () => void
}

export function createOnlineStatus(): OnlineStatus {
  let online = globalThis.navigator?.onLine ?? true
  const listeners = new Set<() => void>()
  return {
    get: () => online,
    set(now) {
      if (online === now) return
      online = now
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export function useOnlineStatus(): boolean {
  const { onlineStatus } = useRouter().options.context
  return useSyncExternalStore(onlineStatus.subscribe, onlineStatus.get, () => true)
}
