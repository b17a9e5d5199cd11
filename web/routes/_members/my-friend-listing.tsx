import { createFileRoute, redirect } from '@tanstack/react-router'
import { parseMarketSearch } from '#web/features/market/market-search.ts'

/** Redirects the earlier address of the friends' tab of the marketplace. */
export const Route = createFileRoute('/_members/my-friend-listing')({
  validateSearch: parseMarketSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/listings', search: { ...search, tab: 'friends' }, replace: true })
  },
})
