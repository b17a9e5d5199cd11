import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { notificationPagesQuery } from '#web/features/notifications/notification-queries.ts'
import { NotificationsScreen } from '#web/features/notifications/notifications-screen.tsx'

export const Route = createFileRoute('/_members/notifications')({
  loader: ({ context }) => prefetchList(context.queryClient, notificationPagesQuery),
  staticData: { title: msg`Notifications` },
  component: NotificationsScreen,
})
