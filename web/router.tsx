import { createRouter } from '@tanstack/react-router'
import { newQueryClient } from '#web/api/query-client.ts'
import { routeTree } from '#web/route-tree.gen.ts'

export const queryClient = newQueryClient()

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache knows how old its data is; the router always asks it.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  scrollRestoration: true,
  // A path that is not there is one screen, whatever lies around it.
  notFoundMode: 'root',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** What stands around the screen: the member's navigation (unless another is named), or nothing. */
    shell?: 'member' | 'none'
  }
}
