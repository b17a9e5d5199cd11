import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { FilterPageScreen } from '#web/features/market/filter-page-screen.tsx'
import { parseMarketSearch } from '#web/features/market/market-search.ts'

export const Route = createFileRoute('/_members/filter-page')({
  validateSearch: parseMarketSearch,
  staticData: { title: msg`Filter` },
  component: FilterPageScreen,
})
