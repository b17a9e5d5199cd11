import type { Listing } from '#contract/listings.ts'
import { readWords } from '#web/ui/search-words.ts'

/** The query string of My lists. Empty shows all listings. */
export interface MyListsSearch {
  tab?: 'want' | undefined
  show?: 'private' | 'public' | undefined
  q?: string | undefined
}

export function parseMyListsSearch({ tab, show, q }: Record<string, unknown>): MyListsSearch {
  if (tab === 'want') return { tab }
  return { show: show === 'private' || show === 'public' ? show : undefined, ...readWords({ q }) }
}

/** Returns whether a listing has the selected visibility, and the words in its title or description. */
export function isShown(
  { is_public, title, description }: Listing,
  { show, q = '' }: MyListsSearch,
): boolean {
  if (show !== undefined && is_public !== (show === 'public')) return false
  return `${title}\n${description}`.toLowerCase().includes(q.toLowerCase())
}
