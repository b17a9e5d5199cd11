import { createFileRoute } from '@tanstack/react-router'
import { FilterPageScreen } from '#web/features/listings/filter-page-screen.tsx'
import { parseMarketSearch } from '#web/features/listings/market-search.ts'

export const Route = createFileRoute('/_members/filter-page')({
  validateSearch: parseMarketSearch,
  staticData: { title: 'Filter' },
  component: FilterPageScreen,
})
