import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import type { AppContext } from '#web/app-context.ts'
import { routeTree } from '#web/route-tree.gen.ts'
import { FailedScreen } from '#web/routes/-failed-screen.tsx'
import { painted } from '#web/ui/painted.ts'

export function createAppRouter(context: AppContext) {
  const router = createRouter({
    routeTree,
    context,
    Wrap: ({ children }) => (
      <QueryClientProvider client={context.queryClient}>{children}</QueryClientProvider>
    ),
    defaultPreload: 'intent',
    // The query cache knows how old its data is; the router always asks it.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultErrorComponent: FailedScreen,
    scrollRestoration: true,
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
