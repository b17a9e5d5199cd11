import type { AppContext } from '#web/context/app-context.ts'
import { invalidateMatches } from '#web/features/matches/match-queries.ts'
import { invalidateNotifications } from '#web/features/page-head/unread-notifications.ts'

/** Refetches notifications and matches after each change on the server. Returns a function that unsubscribes. */
export function subscribeToNotifications({
  queryClient,
  connection,
}: Pick<AppContext, 'queryClient' | 'connection'>): () => void {
  const invalidate = () =>
    void Promise.all([invalidateNotifications(queryClient), invalidateMatches(queryClient)])
  const stops = [
    connection.on('notification', invalidate),
    // The end of a friendship and a block hide notifications of each other.
    connection.on('friends_changed', invalidate),
    connection.on('connected', invalidate),
    connection.on('missed', invalidate),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
