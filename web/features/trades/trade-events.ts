import type { QueryClient } from '@tanstack/react-query'
import type { RealtimeSocket } from '#web/realtime/socket.ts'
import { invalidateTrades, tradesKey, updateCachedTrade } from './trade-queries.ts'

/**
 * Updates cached trades by socket events. Refetches them after the first connection, because one may have changed since
 * the server rendered the page, and what depends on them after a reconnect.
 */
export function subscribeToTrades({ queryClient }: { queryClient: QueryClient }, socket: RealtimeSocket) {
  let wasConnected = false
  const invalidate = () => void invalidateTrades(queryClient)
  socket.on('trade_changed', (trade) => updateCachedTrade(queryClient, trade))
  socket.on('missed', invalidate)
  socket.on('connect', () => {
    if (wasConnected) invalidate()
    else void queryClient.invalidateQueries({ queryKey: tradesKey })
    wasConnected = true
  })
}
