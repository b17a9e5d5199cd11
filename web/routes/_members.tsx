import { createFileRoute } from '@tanstack/react-router'
import { AppShell, AppShellLoading } from '#web/features/auth/app-shell.tsx'
import { membersOnly } from '#web/features/auth/guards.ts'
import { ssrForMember } from '#web/features/auth/ssr.ts'
import { unreadQuery } from '#web/features/messages/message-queries.ts'
import { unreadNotificationsQuery } from '#web/features/notifications/notification-queries.ts'

/** Around every screen for members that has the navigation. The routes in `_members/` need no guard of their own. */
export const Route = createFileRoute('/_members')({
  ssr: ssrForMember,
  beforeLoad: ({ context, location }) => membersOnly({ context, location }),
  // Asked once; the frame, which stays from screen to screen, keeps them as they are.
  loader: ({ context }) => {
    for (const query of [unreadQuery, unreadNotificationsQuery])
      void context.queryClient.prefetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY })
  },
  component: AppShell,
  pendingComponent: AppShellLoading,
})
