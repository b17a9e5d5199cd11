// The router dehydrates the query cache itself: `@tanstack/react-router-ssr-query` would write pending and failed queries into the page too.

import { dehydrate, hydrate, type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { Listing } from '#contract/listings.ts'
import { createBrowserContext } from '#web/context/browser-context.ts'
import { createServerContext, pageRequest } from '#web/context/server-context.ts'
import { readRegionWith } from '#web/i18n/region.ts'
import { routeTree } from '#web/route-tree.gen.ts'
import { FailedScreen } from '#web/routes/-failed-screen.tsx'

const createContext = createIsomorphicFn().server(createServerContext).client(createBrowserContext)
const getNonce = createIsomorphicFn()
  .server((): string | undefined => pageRequest().nonce)
  .client(() => undefined)

/** Creates the router, once in a browser and once per request on the server. */
export function getRouter() {
  const context = createContext()
  const { queryClient } = context
  const nonce = getNonce()
  const router = createRouter({
    routeTree,
    context,
    ...(nonce !== undefined && { ssr: { nonce } }),
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    dehydrate: async () => {
      await waitForQueries(queryClient)
      return { site: context.site, queries: JSON.stringify(dehydrate(queryClient)) }
    },
    hydrate: ({ site, queries }) => {
      readRegionWith(() => site.region)
      router.update({ context: { ...context, site } })
      hydrate(queryClient, JSON.parse(queries))
    },
    defaultPreload: 'intent',
    // The router always runs the loaders, because the query cache decides whether data is stale.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultErrorComponent: FailedScreen,
    // The landing page has no router, so the browser restores it.
    scrollRestoration: ({ location }) => location.pathname !== '/',
    // Removes unknown and invalid parameters from the URL.
    search: { strict: true },
  })
  return router
}

/** Waits for the queries of the loaders. The browser fetches those that failed or took too long. */
async function waitForQueries(client: QueryClient) {
  const cache = client.getQueryCache()
  await new Promise<void>((resolve) => {
    const check = () => {
      if (client.isFetching() > 0) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = cache.subscribe(check)
    check()
  })
  client.removeQueries({ predicate: ({ state }) => state.status !== 'success' })
}

declare module '@tanstack/react-router' {
  /** Data in the history state that lets a screen render at once. */
  interface HistoryState {
    listing?: Listing
    /** The listing that was just posted. */
    posted?: number
  }
}
