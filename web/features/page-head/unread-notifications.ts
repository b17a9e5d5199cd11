import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { countUnreadNotifications } from '#contract/notifications.ts'
import { call } from '#web/api/client.ts'

/** The key of all queries of notifications. */
export const notificationsKey = ['notifications'] as const

/** The query of the number of unread notifications. */
export const unreadNotificationsQuery = queryOptions({
  queryKey: [...notificationsKey, 'unread'],
  queryFn: ({ client, signal }) => call(client, countUnreadNotifications, {}, { signal }),
})

/** Invalidates the number and the list. */
export function invalidateNotifications(client: QueryClient) {
  return client.invalidateQueries({ queryKey: notificationsKey })
}
