import { getGlobalStartContext } from '@tanstack/react-start'
import { createAtom } from '@tanstack/react-store'
import { createOnlineStatus } from '#web/api/online-status.ts'
import { ApiClient } from '#web/api/query-client.ts'
import type { Login } from '#web/login/login-store.ts'
import { createConnection } from '#web/realtime/connection.ts'
import { createAnnouncement } from '#web/ui/announcements.ts'
import { createToasts } from '#web/ui/toasts.ts'
import type { AppContext } from './app-context.ts'
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
  const login = memberLogin(member)
  const onlineStatus = createOnlineStatus()
  const queryClient = new ApiClient({ fetch, login, onlineStatus })
  const { persister: _, ...queries } = queryClient.getDefaultOptions().queries ?? {}
  // No retries: the page would wait for them. The browser retries.
  queryClient.setDefaultOptions({ queries: { ...queries, retry: false } })
  return {
    queryClient,
    login,
    onlineStatus,
    connection: createConnection(login),
    toasts: createToasts(),
    announcement: createAnnouncement(),
    postingDrafts: new Set(),
    site,
    scripts: [],
  }
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
