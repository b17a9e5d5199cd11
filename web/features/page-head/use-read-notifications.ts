import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type NotificationKind,
  type NotificationSubject,
  readNotifications,
} from '#contract/notifications.ts'
import { call } from '#web/api/client.ts'
import { useWhenVisible } from '#web/ui/use-when-visible.ts'
import { invalidateNotifications, unreadNotificationsQuery } from './unread-notifications.ts'

/** Marks the notifications about what a screen shows, or of some kinds, as read while the page is visible. */
export function useReadNotifications(shown: { about: NotificationSubject } | { kinds: NotificationKind[] }) {
  const client = useQueryClient()
  // The app shell fetches the count. Without unread notifications there is nothing to read.
  const { data: unread = 0, dataUpdatedAt } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  const read = async () => {
    const { updated } = await call(client, readNotifications, { body: shown })
    if (updated > 0) await invalidateNotifications(client)
  }
  useWhenVisible(
    unread,
    () => {
      // A failure is harmless: the badge counts them until the next attempt.
      read().catch(() => undefined)
    },
    dataUpdatedAt,
  )
}
