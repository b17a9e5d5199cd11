import { createFileRoute } from '@tanstack/react-router'
import { unreadQuery } from '#web/features/messages/message-queries.ts'
import { unreadNotificationsQuery } from '#web/features/page-head/unread-notifications.ts'
import { AppShell, AppShellLoading } from '#web/features/shell/app-shell.tsx'
import { loadCatalogs } from '#web/i18n/i18n.ts'
import { invitationIn, membersOnly } from './-guards.ts'
import { ssrForAnyone, ssrForMember } from './-ssr.ts'

/** The layout route of the members' screens with the navigation. It is the guard of the routes in `_members/`. */
export const Route = createFileRoute('/_members')({
  // The server redirects the link of an invitation, also without scripts.
  ssr: ({ location }) => (invitationIn(location) === undefined ? ssrForMember() : ssrForAnyone()),
  beforeLoad: ({ context, location }) => {
    membersOnly({ context, location })
    return loadCatalogs(true)
  },
  // Fetched once. The app shell, which stays mounted, polls them.
  loader: ({ context }) => {
    for (const query of [unreadQuery, unreadNotificationsQuery])
      void context.queryClient.prefetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY })
  },
  component: AppShell,
  pendingComponent: AppShellLoading,
})
