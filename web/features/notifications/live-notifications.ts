import type { QueryClient } from '@tanstack/react-query'
import { invalidateMatches } from '#web/features/matches/match-queries.ts'
import { invalidateNotifications } from '#web/features/page-head/unread-notifications.ts'
import type { RealtimeSocket } from '#web/realtime/socket.ts'

/** Refetches notifications and matches after each change on the server. */
export function subscribeToNotifications(
  { queryClient }: { queryClient: QueryClient },
  socket: RealtimeSocket,
) {
  const invalidate = () =>
    void Promise.all([invalidateNotifications(queryClient), invalidateMatches(queryClient)])
  socket.on('notification', invalidate)
  // The end of a friendship and a block hide notifications of each other.
  socket.on('friends_changed', invalidate)
  socket.on('connect', invalidate)
  socket.on('missed', invalidate)
}
