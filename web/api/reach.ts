import { useSyncExternalStore } from 'react'

/** Whether the last call was answered, by whomever; before the first, what the browser thinks. */
let reached = navigator.onLine
const watchers = new Set<() => void>()

export function isReached(): boolean {
  return reached
}

export function noteReach(now: boolean) {
  if (reached === now) return
  reached = now
  for (const watcher of watchers) watcher()
}

export function watchReach(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

export function useReached(): boolean {
  return useSyncExternalStore(watchReach, isReached)
}
