import type { AppContext } from '#web/context/app-context.ts'
import { invalidateTrades, tradesKey, updateCachedTrade } from './trade-queries.ts'

/**
 * Updates cached trades by socket events. Refetches them after the first connection, because one may have changed since
 * the server rendered the page, and what depends on them after a reconnect. Returns a function that unsubscribes.
 */
export function subscribeToTrades({
  queryClient,
  connection,
}: Pick<AppContext, 'queryClient' | 'connection'>): () => void {
  let wasConnected = false
  const invalidate = () => void invalidateTrades(queryClient)
  const stops = [
    connection.on('trade_changed', (trade) => updateCachedTrade(queryClient, trade)),
    connection.on('missed', invalidate),
    connection.on('connected', () => {
      if (wasConnected) invalidate()
      else void queryClient.invalidateQueries({ queryKey: tradesKey })
      wasConnected = true
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
