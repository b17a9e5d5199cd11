import type { QueryClient } from '@tanstack/react-query'
import { listNotifications, type Notification, readNotifications } from '#contract/notifications.ts'
import { call } from '#web/api/client.ts'
import { changeItems, infiniteListOptions } from '#web/api/infinite-list.ts'
import { invalidateNotifications, notificationsKey } from '#web/features/page-head/unread-notifications.ts'

/** The query of the member's notifications, newest first. */
export const notificationPagesQuery = infiniteListOptions(
  [...notificationsKey, 'pages'],
  listNotifications,
  { query: {} },
  { staleTime: 0 },
)

/** Marks all notifications up to this id as read. */
export async function markReadUpTo(client: QueryClient, up_to: number) {
  await call(client, readNotifications, { body: { up_to } })
  // A pending request from before would restore the old state.
  await client.cancelQueries({ queryKey: notificationPagesQuery.queryKey })
  changeItems<Notification>(client, notificationPagesQuery.queryKey, (items) =>
    items.map((item) => asRead(item, up_to)),
  )
  await invalidateNotifications(client)
}

function asRead(notification: Notification, up_to: number): Notification {
  if (notification.id > up_to) return notification
  return { ...notification, read_at: notification.read_at ?? new Date().toISOString() }
}
