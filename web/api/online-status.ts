import { useHydrated, useRouter } from '@tanstack/react-router'
import { type Atom, createAtom, useSelector } from '@tanstack/react-store'

/** True if the last call was answered, even with an error. Before the first call it is `navigator.onLine`. */
export type OnlineStatus = Atom<boolean>

export function createOnlineStatus(): OnlineStatus {
  return createAtom(globalThis.navigator?.onLine ?? true)
}

/** Returns the online status, and true while the page hydrates. */
export function useOnlineStatus(): boolean {
  const isOnline = useSelector(useRouter().options.context.onlineStatus)
  return !useHydrated() || isOnline
}
