import type { AppContext } from '#web/app-context.ts'
import { invalidateTrades, updateCachedTrade } from './trade-queries.ts'

/** Shows trades as they change at the other side, and refetches them after a reconnection. Returns how to stop. */
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
      wasConnected = true
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
