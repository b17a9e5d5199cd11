import type { categories } from '#contract/constants.ts'
import { parseMarketSearch } from '#web/features/market/market-search.ts'

/** The search parameters of `/post-want`: the words of a search that found nothing, and its category. */
interface WantSearch {
  category?: keyof typeof categories | undefined
  q?: string | undefined
}

/** Reads the search parameters of `/post-want`. Leaves out unknown values. */
export function parseWantSearch(search: Record<string, unknown>): WantSearch {
  const { category, q } = parseMarketSearch(search)
  return { category, q }
}
