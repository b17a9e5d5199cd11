import type { AppContext } from '#web/context/app-context.ts'
import { invalidateFriends } from './friend-queries.ts'

/** Refetches friends after each change on the server and after a reconnect. Returns a function that unsubscribes. */
export function subscribeToFriends({
  queryClient,
  connection,
}: Pick<AppContext, 'queryClient' | 'connection'>): () => void {
  let wasConnected = false
  const invalidate = () => void invalidateFriends(queryClient)
  const stops = [
    connection.on('friends_changed', invalidate),
    connection.on('missed', invalidate),
    connection.on('connected', () => {
      if (wasConnected) invalidate()
      wasConnected = true
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
