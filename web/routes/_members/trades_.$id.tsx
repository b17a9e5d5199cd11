import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { ignoreNotFound } from '#web/api/api-error.ts'
import { tradeQuery } from '#web/features/trades/trade-queries.ts'
import { TradeError, TradeLoading, TradeScreen } from '#web/features/trades/trade-screen.tsx'

export const Route = createFileRoute('/_members/trades_/$id')({
  params: {
    parse: ({ id }) => ({ id: Number(id) }),
    stringify: ({ id }) => ({ id: String(id) }),
  },
  // Undefined if the member has no trade with this id.
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(tradeQuery(params.id)).catch(ignoreNotFound),
  staticData: { title: msg`Trade` },
  component: TradeScreen,
  pendingComponent: TradeLoading,
  errorComponent: TradeError,
})
