import type { AnyRouter } from '@tanstack/react-router'
import type { ApiClient } from '#web/api/query-client.ts'

/** Tells the query client while the router loads a screen on Back, because its lists then restore their pages. */
export function restoreLists(router: AnyRouter, client: ApiClient) {
  // Not `router.history.subscribe`: the router loads redirects before hydration itself only if the history has no subscribers.
  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
    client.isReturning = toLocation.state.__TSR_index < (fromLocation?.state.__TSR_index ?? 0)
  })
  router.subscribe('onRendered', () => {
    client.isReturning = false
  })
}
