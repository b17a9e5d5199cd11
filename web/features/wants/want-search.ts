import type { categories } from '#contract/constants.ts'
import { parseMarketSearch } from '#web/features/market/market-search.ts'

/** The search parameters of a post to fill in: its title and category. For a want, these are of a search that found nothing. */
interface WantSearch {
  category?: keyof typeof categories | undefined
  q?: string | undefined
}

/** Reads the search parameters of `/post-want` and `/listings/new`. Leaves out unknown values. */
export function parseWantSearch(search: Record<string, unknown>): WantSearch {
  const { category, q } = parseMarketSearch(search)
  return { category, q }
}
