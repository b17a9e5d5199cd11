import { useEffect, useSyncExternalStore } from 'react'

let known: string | undefined
const listeners = new Set<() => void>()

/** Names the browser's tab after what a screen learns only when it stands; until then it has the name of its route. */
export function useTabTitle(title: string | undefined) {
  useEffect(() => {
    name(title)
    return () => name(undefined)
  }, [title])
}

/** What the screen that stands has named the tab. */
export function useKnownTitle(): string | undefined {
  return useSyncExternalStore(subscribe, latest, latest)
}

const latest = () => known

function name(title: string | undefined) {
  known = title
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void) {
  listeners.add(tell)
  return () => listeners.delete(tell)
}
