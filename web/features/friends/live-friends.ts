import type { AppContext } from '#web/app-context.ts'
import { invalidateFriends } from './friend-queries.ts'

/** Refetches friends when the server says that they changed, and after a reconnection. Returns how to stop. */
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
