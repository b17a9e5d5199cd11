import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CallInput } from '#contract/endpoint.ts'
import { maxSubjects, type NotificationSubjects, readNotifications } from '#contract/notifications.ts'
import { call } from '#web/api/client.ts'
import { useWhenVisible } from '#web/ui/use-when-visible.ts'
import { invalidateNotifications, unreadNotificationsQuery } from './unread-notifications.ts'

/** Marks the notifications about the things that a screen shows as read while the page is visible. */
export function useReadNotificationsAbout(
  type: NotificationSubjects['type'],
  shown: readonly { readonly id: number }[],
) {
  const ids = shown.slice(0, maxSubjects).map(({ id }) => id)
  useRead({ about: { type, ids } }, ids.length > 0)
}

/** Marks the notifications of the kinds that a screen shows as read while the page is visible. */
export function useReadNotificationsOf(...kinds: string[]) {
  useRead({ kinds })
}

function useRead(body: CallInput<typeof readNotifications>['body'], isAny = true) {
  const client = useQueryClient()
  // The app shell fetches the count. Without unread notifications there is nothing to read.
  const { data: unread = 0, dataUpdatedAt } = useQuery({ ...unreadNotificationsQuery, enabled: false })
  const read = async () => {
    const { updated } = await call(client, readNotifications, { body })
    if (updated > 0) await invalidateNotifications(client)
  }
  useWhenVisible(
    isAny ? unread : undefined,
    () => {
      // A failure is harmless: the badge counts them until the next attempt.
      read().catch(() => undefined)
    },
    `${dataUpdatedAt} ${JSON.stringify(body)}`,
  )
}
