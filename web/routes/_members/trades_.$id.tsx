import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { isNotFound } from '#web/api/api-error.ts'
import { tradeQuery } from '#web/features/trades/trade-queries.ts'
import { TradeError, TradeLoading, TradeScreen } from '#web/features/trades/trade-screen.tsx'

export const Route = createFileRoute('/_members/trades_/$id')({
  params: {
    parse: ({ id }) => ({ id: Number(id) }),
    stringify: ({ id }) => ({ id: String(id) }),
  },
  loader: ({ context, params }) => loadTrade(context.queryClient, params.id),
  staticData: { title: 'Trade' },
  component: TradeScreen,
  pendingComponent: TradeLoading,
  errorComponent: TradeError,
})

/** Returns the trade, or undefined if the member has none with this id. */
async function loadTrade(client: QueryClient, id: number) {
  try {
    return await client.ensureQueryData(tradeQuery(id))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
