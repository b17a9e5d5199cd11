import { getGlobalStartContext } from '@tanstack/react-start'
import { createAtom } from '@tanstack/react-store'
import type { Login } from '#web/login/login-store.ts'
import type { AppContext } from './app-context.ts'
import { createAppContext } from './create-app-context.ts'
import type { PageRequest } from './page-request.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: { page: PageRequest } }
  }
}

/** Returns the data of the page that is being rendered. Throws in the browser. */
export function pageRequest(): PageRequest {
  const page = getGlobalStartContext()?.page
  if (page === undefined) throw new Error('No page is being rendered')
  return page
}

/** Creates the router's context of one request. */
export function createServerContext(): AppContext {
  const { member, site, fetch } = pageRequest()
  const app = createAppContext({ login: memberLogin(member), fetch, site })
  const { persister: _, ...queries } = app.queryClient.getDefaultOptions().queries ?? {}
  // No retries: the page would wait for them. The browser retries.
  app.queryClient.setDefaultOptions({ queries: { ...queries, retry: false } })
  return app
}

const nothing = () => {}

/** Returns the login of one request. Its token is empty: the HTTP server adds the token to the calls. */
function memberLogin(member: PageRequest['member']): Login {
  const stored =
    member === undefined ? null : { token: '', user: member, expiresAt: Number.POSITIVE_INFINITY }
  return {
    state: createAtom({ login: stored }),
    get: () => stored,
    store: nothing,
    rename: nothing,
    remove: nothing,
    removeRefused: nothing,
    syncCookie: nothing,
  }
}
