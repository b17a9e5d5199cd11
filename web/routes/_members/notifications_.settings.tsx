import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { preferencesQuery } from '#web/features/members/preferences-query.ts'
import { NotificationSettingsScreen } from '#web/features/notifications/notification-settings-screen.tsx'

export const Route = createFileRoute('/_members/notifications_/settings')({
  loader: ({ context }) => void context.queryClient.prefetchQuery(preferencesQuery),
  staticData: { title: msg`Notification settings` },
  component: NotificationSettingsScreen,
})
