import type { categories } from '#contract/constants.ts'
import { marketSearch } from '#web/features/listings/market-search.ts'

/** What a wish list is opened for: words that were searched for in vain. */
export interface WishAddress {
  category?: keyof typeof categories
  q?: string
}

export function wishAddress(address: Record<string, unknown>): WishAddress {
  const { category, q } = marketSearch(address)
  return { ...(category && { category }), ...(q !== undefined && { q }) }
}
