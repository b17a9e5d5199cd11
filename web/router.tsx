import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { routeTree } from '#web/route-tree.gen.ts'
import { FailedScreen } from '#web/routes/-failed-screen.tsx'
import { painted } from '#web/ui/painted.ts'

/** The app's router, of the browser's addresses, or of those of a history that is no browser's. */
export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    defaultPreload: 'intent',
    // The query cache knows how old its data is; the router always asks it.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultErrorComponent: FailedScreen,
    scrollRestoration: history === undefined,
    // What no screen asks for, or what it refuses, does not stay in the address.
    search: { strict: true },
  })
  const { load } = router
  // A screen is much to make: the address changes at once, and what a tap marks by it is painted first.
  router.load = async (options) => {
    if (options?.action !== undefined) {
      router.updateLatestLocation()
      await painted()
    }
    return load(options)
  }
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  /** What is carried to a screen so that it stands at once. */
  interface HistoryState {
    listing?: Listing
  }
}
