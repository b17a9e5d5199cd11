import { useRouter } from '@tanstack/react-router'
import type { Atom } from '@tanstack/react-store'
import type { OnlineStatus } from '#web/api/online-status.ts'
import type { ApiClient } from '#web/api/query-client.ts'
import type { Login } from '#web/login/login-store.ts'
import type { Connection } from '#web/realtime/connection.ts'
import type { Announcement } from '#web/ui/announcements.ts'
import type { Toasts } from '#web/ui/toasts.ts'
import type { Site } from './site.ts'

/** The router's context: made once in a browser, and once per request on the server. */
export interface AppContext {
  readonly queryClient: ApiClient
  readonly login: Login
  readonly onlineStatus: OnlineStatus
  readonly connection: Connection
  readonly toasts: Toasts
  readonly announcement: Announcement
  /** The number of unread messages and notifications, for the page's title. */
  readonly unreadCount: Atom<number>
  readonly site: Site
  /** The URLs of the page's scripts, the entry first. Empty in the browser. */
  readonly scripts: readonly string[]
}

export function useAppContext(): AppContext {
  return useRouter().options.context
}
