import { createRouter } from '@tanstack/react-router'
import type { Listing } from '#contract/listings.ts'
import { routeTree } from '#web/route-tree.gen.ts'
import { FailedScreen } from '#web/routes/-failed-screen.tsx'

export const router = createRouter({
  routeTree,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  /** What is carried to a screen so that it stands at once. */
  interface HistoryState {
    listing?: Listing
  }
}
