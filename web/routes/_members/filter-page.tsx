import { createFileRoute } from '@tanstack/react-router'
import { FilterPageScreen } from '#web/features/market/filter-page-screen.tsx'
import { parseMarketSearch } from '#web/features/market/market-search.ts'

export const Route = createFileRoute('/_members/filter-page')({
  validateSearch: parseMarketSearch,
  staticData: { title: 'Filter' },
  component: FilterPageScreen,
})
