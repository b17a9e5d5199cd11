import { createAtom } from '@tanstack/react-store'
import { createOnlineStatus } from '#web/api/online-status.ts'
import { ApiClient } from '#web/api/query-client.ts'
import type { Login } from '#web/login/login-store.ts'
import { createConnection } from '#web/realtime/connection.ts'
import { createAnnouncement } from '#web/ui/announcements.ts'
import { createToasts } from '#web/ui/toasts.ts'
import type { AppContext } from './app-context.ts'
import type { Site } from './site.ts'

/** Creates the router's context from what differs between a browser and the server. */
export function createAppContext(own: { login: Login; fetch: typeof fetch; site: Site }): AppContext {
  const { login, site } = own
  const onlineStatus = createOnlineStatus()
  return {
    queryClient: new ApiClient({ fetch: own.fetch, login, onlineStatus }),
    login,
    onlineStatus,
    connection: createConnection(),
    toasts: createToasts(),
    announcement: createAnnouncement(),
    unreadCount: createAtom(0),
    site,
    scripts: [],
  }
}
