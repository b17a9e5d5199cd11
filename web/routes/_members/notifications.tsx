import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '#web/api/query-client.ts'
import { notificationPagesQuery } from '#web/features/notifications/notification-queries.ts'
import { NotificationsScreen } from '#web/features/notifications/notifications-screen.tsx'

export const Route = createFileRoute('/_members/notifications')({
  loader: () => {
    void queryClient.prefetchInfiniteQuery(notificationPagesQuery)
  },
  head: () => ({ meta: [{ title: 'Notifications' }] }),
  component: NotificationsScreen,
})
