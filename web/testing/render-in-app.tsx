import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { render } from 'vitest-browser-react'
import { defaultSiteName } from '#contract/constants.ts'
import type { AppContext } from '#web/context/app-context.ts'
import { createAppContext } from '#web/context/create-app-context.ts'
import { defaultRegion } from '#web/i18n/region.ts'
import { fakeApi } from './fake-api.ts'
import { fakeLogin } from './fake-login.ts'

/**
 * Renders components with the context, router and query client that they have in the app, as member 1, `ann`. `api` answers their calls.
 * `show` renders others in their place. What the browser stores is deleted after the test.
 */
export async function renderInApp(children: ReactNode) {
  const api = fakeApi()
  const app = createAppContext({
    login: fakeLogin(),
    fetch: (input, init) => fetch(input, init),
    site: {
      name: defaultSiteName,
      sentence: '',
      logo: null,
      banner: undefined,
      registration: 'open',
      publicUrl: 'https://rhubarb.test',
      supportEmail: undefined,
      region: defaultRegion,
      socialLinks: [],
    },
  })
  const router = createRouter({
    routeTree: createRootRouteWithContext<AppContext>()(),
    context: app,
    history: createMemoryHistory(),
  })
  const inApp = (shown: ReactNode) => (
    <RouterContextProvider router={router}>
      <QueryClientProvider client={app.queryClient}>{shown}</QueryClientProvider>
    </RouterContextProvider>
  )
  const screen = await render(inApp(children))
  onTestFinished(async () => {
    await screen.unmount()
    // Ends the uploads that are running.
    app.login.remove()
    app.queryClient.clear()
    api.stop()
    localStorage.clear()
    indexedDB.deleteDatabase('photo-drafts')
  })
  return { screen, app, api, show: (shown: ReactNode) => screen.rerender(inApp(shown)) }
}
