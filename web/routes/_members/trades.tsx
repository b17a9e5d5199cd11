import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { prefetchList } from '#web/api/infinite-list.ts'
import { tradePagesQuery } from '#web/features/trades/trade-queries.ts'
import { TradesScreen } from '#web/features/trades/trades-screen.tsx'
import { parseTradesSearch } from '#web/features/trades/trades-search.ts'

export const Route = createFileRoute('/_members/trades')({
  validateSearch: parseTradesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetchList(context.queryClient, tradePagesQuery(deps.state ?? 'open')),
  staticData: { title: msg`My trades` },
  component: TradesScreen,
})
