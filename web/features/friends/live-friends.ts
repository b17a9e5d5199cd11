import type { QueryClient } from '@tanstack/react-query'
import type { RealtimeSocket } from '#web/realtime/socket.ts'
import { invalidateFriends } from './friend-queries.ts'

/** Refetches friends after each change on the server and after a reconnect. */
export function subscribeToFriends({ queryClient }: { queryClient: QueryClient }, socket: RealtimeSocket) {
  let wasConnected = false
  const invalidate = () => void invalidateFriends(queryClient)
  socket.on('friends_changed', invalidate)
  socket.on('missed', invalidate)
  socket.on('connect', () => {
    if (wasConnected) invalidate()
    wasConnected = true
  })
}
