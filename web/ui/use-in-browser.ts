import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether a reader is there: the server draws a first look without knowing their clock, or what comes later. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
