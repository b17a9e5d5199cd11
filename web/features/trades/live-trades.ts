import type { AppContext } from '#web/app-context.ts'
import { invalidateTrades, updateCachedTrade } from './trade-queries.ts'

/**
 * Shows trades as they change at the other side. Refetches them after each connection, because one may have changed since the
 * server rendered the page. Returns how to stop.
 */
export function subscribeToTrades({
  queryClient,
  connection,
}: Pick<AppContext, 'queryClient' | 'connection'>): () => void {
  const invalidate = () => void invalidateTrades(queryClient)
  const stops = [
    connection.on('trade_changed', (trade) => updateCachedTrade(queryClient, trade)),
    connection.on('missed', invalidate),
    connection.on('connected', invalidate),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
