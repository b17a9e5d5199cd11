import { type CategoryKey, categoryChoices } from '#web/features/listings/categories.ts'
import { readWords } from '#web/ui/search-words.ts'

/** The search parameters of a post to fill in: its title and category. For a want, these are of a search that found nothing. */
interface WantSearch {
  category?: CategoryKey | undefined
  q?: string | undefined
}

/** Reads the search parameters of `/post-want` and `/listings/new`. Leaves out unknown values. */
export function parseWantSearch(search: Record<string, unknown>): WantSearch {
  return { category: categoryChoices.find((name) => name === search.category), ...readWords(search) }
}
