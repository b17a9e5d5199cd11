import type { QueryClient } from '@tanstack/react-query'
import { listNotifications, type Notification, readNotifications } from '#contract/notifications.ts'
import { call, callPage } from '#web/api/client.ts'
import { infiniteListOptions } from '#web/api/infinite-list.ts'
import { invalidateNotifications, notificationsKey } from '#web/features/page-head/unread-notifications.ts'

/** The query of the member's notifications, newest first. */
export const notificationPagesQuery = infiniteListOptions(
  [...notificationsKey, 'pages'],
  (client, cursor, signal) => callPage(client, listNotifications, { query: { cursor } }, { signal }),
  { staleTime: 0 },
)

/** Marks the notifications about friends as read. */
export async function markFriendNotificationsRead(client: QueryClient) {
  const { updated } = await call(client, readNotifications, {
    body: { kinds: ['friend_request', 'friend_accepted'] },
  })
  if (updated > 0) await invalidateNotifications(client)
}

/** Marks all notifications up to this id as read. */
export async function markReadUpTo(client: QueryClient, up_to: number) {
  await call(client, readNotifications, { body: { up_to } })
  // A pending request from before would restore the old state.
  await client.cancelQueries({ queryKey: notificationPagesQuery.queryKey })
  client.setQueryData(
    notificationPagesQuery.queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, items: page.items.map((item) => asRead(item, up_to)) })),
      },
  )
  await invalidateNotifications(client)
}

function asRead(notification: Notification, up_to: number): Notification {
  if (notification.id > up_to) return notification
  return { ...notification, read_at: notification.read_at ?? new Date().toISOString() }
}
