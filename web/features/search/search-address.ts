import type { categories } from '#contract/constants.ts'
import { categoryChoices } from '#web/features/listings/categories.ts'
import { readWords } from '#web/ui/search-words.ts'

/** The tabs of the search: listings, wants, members. */
export const searchTabs = ['have', 'want', 'members'] as const
export type SearchTab = (typeof searchTabs)[number]

/** The query string of a search. */
export interface SearchAddress {
  tab?: SearchTab | undefined
  category?: keyof typeof categories | undefined
  q?: string | undefined
}

/** Reads the query string of a search. Leaves out unknown values. */
export function parseSearchAddress(address: Record<string, unknown>): SearchAddress {
  return {
    tab: searchTabs.find((name) => name === address.tab),
    category: categoryChoices.find((name) => name === address.category),
    ...readWords(address),
  }
}
