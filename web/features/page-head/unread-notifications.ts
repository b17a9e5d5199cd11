import type { QueryClient } from '@tanstack/react-query'
import { countUnreadNotifications } from '#contract/notifications.ts'
import { endpointQuery } from '#web/api/endpoint-query.ts'

/** The key of all queries of notifications. */
export const notificationsKey = ['notifications'] as const

/** The query of the number of unread notifications. */
export const unreadNotificationsQuery = endpointQuery(
  [...notificationsKey, 'unread'],
  countUnreadNotifications,
  {},
)

/** Invalidates the number and the list. */
export function invalidateNotifications(client: QueryClient) {
  return client.invalidateQueries({ queryKey: notificationsKey })
}
