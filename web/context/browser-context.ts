import { createOnlineStatus } from '#web/api/online-status.ts'
import { ApiClient, clearOnLoginChange } from '#web/api/query-client.ts'
import { createBrowserLogin } from '#web/login/browser-login.ts'
import { createConnection } from '#web/realtime/connection.ts'
import { createAnnouncement } from '#web/ui/announcements.ts'
import { createToasts } from '#web/ui/toasts.ts'
import type { AppContext } from './app-context.ts'
import type { Site } from './site.ts'

/** Used until hydration: the dehydrated state of the page has the operator's settings. */
const unknownSite: Site = { publicUrl: '', supportEmail: undefined, socialLinks: [] }

/** Creates the router's context of a browser. Call it once. */
export function createBrowserContext(): AppContext {
  const login = createBrowserLogin()
  const onlineStatus = createOnlineStatus()
  // Looks up `fetch` at each call, because a test or a browser tool may replace it.
  const queryClient = new ApiClient({ fetch: (...request) => fetch(...request), login, onlineStatus })
  clearOnLoginChange(queryClient, login)
  login.syncCookie()
  return {
    queryClient,
    login,
    onlineStatus,
    connection: createConnection(login),
    toasts: createToasts(),
    announcement: createAnnouncement(),
    postingDrafts: new Set(),
    site: unknownSite,
    scripts: [],
  }
}
