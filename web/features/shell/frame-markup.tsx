import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { NavBar } from './nav-bar.tsx'

/**
 * The navigation as it stands before anything is known. Called by the build, which writes it into the page.
 * @public
 */
export async function frameMarkup(): Promise<string> {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <NavBar /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  // The wordmark is on wide screens only: no preload of it.
  return renderToStaticMarkup(<RouterProvider router={router} />).replace(/^(?:<link[^>]*>)+/, '')
}
