import { useRouter } from '@tanstack/react-router'
import type { OnlineStatus } from '#web/api/online-status.ts'
import type { ApiClient } from '#web/api/query-client.ts'
import type { Login } from '#web/features/auth/login-store.ts'
import type { Connection } from '#web/realtime/connection.ts'
import type { Site } from '#web/site.ts'

/** The router's context: made once in a browser, and once per request on the server. */
export interface AppContext {
  readonly queryClient: ApiClient
  readonly login: Login
  readonly onlineStatus: OnlineStatus
  readonly connection: Connection
  readonly site: Site
}

export function useAppContext(): AppContext {
  return useRouter().options.context
}
