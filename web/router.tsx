import { createRouter } from '@tanstack/react-router'
import { routeTree } from '#web/route-tree.gen.ts'

export const router = createRouter({
  routeTree,
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
}
